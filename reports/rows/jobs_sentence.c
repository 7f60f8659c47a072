/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rows/jobs_sentence.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/json/plural.h"
#include "reports/rows/row_ending.h"

static size_t write_lead(char text[JOBS_SENTENCE_TEXT], int64_t count, int64_t all, const char *noun, const char *verb)
{
	if (count == all && all > 1)
		return snprintf(text, JOBS_SENTENCE_TEXT, "all %" PRId64 " %ss %s", all, noun, verb);
	if (count == all && all == 1)
		return snprintf(text, JOBS_SENTENCE_TEXT, "1 %s %s", noun, verb);
	return snprintf(text, JOBS_SENTENCE_TEXT, "%" PRId64 " of %" PRId64 " %s%s %s", count, all, noun, plural(all), verb);
}

size_t jobs_sentence(const struct summary *rows, size_t count, const char *noun, char text[JOBS_SENTENCE_TEXT])
{
	static const char *const one[] = {
		[ROW_CANCELLED] = "was cancelled", [ROW_RUNS] = "runs", [ROW_WAITS] = "waits", [ROW_UNKNOWN] = "of unknown state",
	};
	static const char *const more[] = {
		[ROW_CANCELLED] = "were cancelled", [ROW_RUNS] = "run", [ROW_WAITS] = "wait", [ROW_UNKNOWN] = "of unknown state",
	};
	int64_t counts[ROW_ENDINGS] = { 0 }, all = 0;
	size_t length;

	for (size_t i = 0; i < count; i++) {
		counts[row_ending_of(&rows[i])] += row_jobs(&rows[i]);
		all += row_jobs(&rows[i]);
	}
	if (counts[ROW_FAILED])
		length = write_lead(text, counts[ROW_FAILED], all, noun, "failed");
	else
		length = write_lead(text, counts[ROW_COMPLETED], all, noun, "completed");
	for (int i = ROW_CANCELLED; i < ROW_ENDINGS; i++)
		if (counts[i])
			length += snprintf(text + length, JOBS_SENTENCE_TEXT - length, ", %" PRId64 " %s", counts[i],
					   counts[i] == 1 ? one[i] : more[i]);
	return (size_t)counts[ROW_FAILED];
}
