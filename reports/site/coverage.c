/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_writer.h"
#include "common/time_text.h"
#include "reports/json/plural.h"
#include "reports/site/job_figures.h"

/* The order in which reasons are printed. Reasons that a site can often act on come last. */
static const struct {
	enum missing_reason reason;
	const char *name, *words, *of_one;
} reasons[] = {
	{ MISSING_NEVER_BEGAN, "never_began", "never started", "it ended before it started" },
	{ MISSING_NOT_YET, "not_yet", "not delivered yet", "its node has not delivered it yet; 'stint doctor' there says what waits" },
	{ MISSING_NO_STINT, "no_stint", "on nodes without stint", "its node has never delivered anything" },
	{ MISSING_DROPPED, "dropped", "dropped on their nodes", "its node had to drop lines at that time" },
	{ MISSING_UNKNOWN, "unknown", "for a reason that only the node may know (see 'stint doctor' there)",
	  "its node has delivered others since. 'stint doctor' there says whether the record waits; there is none if the user "
	  "turned stint off, or stintd did not run" },
};

_Static_assert(sizeof(reasons) / sizeof(reasons[0]) == MISSING_REASONS, "a reason has no words");

void coverage_add(struct coverage *coverage, const struct coverage *other)
{
	if (other->until_us < coverage->until_us)
		coverage->until_us = other->until_us;
	coverage->untold_s += other->untold_s;
	for (size_t i = 0; i < MISSING_REASONS; i++)
		coverage->missing[i] += other->missing[i];
}

int64_t coverage_missing(const struct coverage *coverage)
{
	int64_t missing = 0;

	for (size_t i = 0; i < MISSING_REASONS; i++)
		missing += coverage->missing[i];
	return missing;
}

const char *coverage_reason(enum missing_reason reason)
{
	size_t i = 0;

	while (i + 1 < MISSING_REASONS && reasons[i].reason != reason)
		i++;
	return reasons[i].of_one;
}

const char *coverage_reasons(const int64_t missing[MISSING_REASONS], char text[COVERAGE_TEXT])
{
	char number[HOURS_TEXT];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < MISSING_REASONS; i++)
		if (missing[reasons[i].reason] && used < COVERAGE_TEXT)
			used += (size_t)snprintf(text + used, COVERAGE_TEXT - used, "%s%s %s", used ? ", " : "",
						 job_count_text((double)missing[reasons[i].reason], number),
						 reasons[i].words);
	return text;
}

/* "2026-11-23 02:10" */
static void put_moment(int64_t us, char text[TIME_TEXT])
{
	struct time_parts parts;
	char whole[TIME_TEXT];

	if (time_split(time_text(us * 1000, whole), &parts))
		snprintf(text, TIME_TEXT, "%s %.5s", parts.day, parts.clock);
	else
		strcpy(text, "?");
}

#define UNTOLD_SENTENCE (HOURS_TEXT + 80)

static void put_untold(int64_t untold_s, char text[UNTOLD_SENTENCE])
{
	char minutes[HOURS_TEXT];
	int64_t count = (untold_s + 59) / 60;

	text[0] = '\0';
	if (untold_s)
		snprintf(text, UNTOLD_SENTENCE, " For %s minute%s, Slurm did not say which jobs ended.",
			 job_count_text((double)count, minutes), plural(count));
}

char *coverage_sentence(const struct coverage *coverage, int64_t recorded)
{
	char why[COVERAGE_TEXT], when[TIME_TEXT], with[HOURS_TEXT], all[HOURS_TEXT], untold[UNTOLD_SENTENCE], *text;
	int64_t missing = coverage_missing(coverage);
	int length;

	if (!coverage->until_us)
		return NULL;
	put_moment(coverage->until_us, when);
	put_untold(coverage->untold_s, untold);
	if (!missing)
		length = asprintf(&text, "stint has a record of all jobs that Slurm %s (checked %s).%s",
				  coverage->untold_s ? "named" : "knows", when, untold);
	else
		length = asprintf(&text, "stint has a record of %s of the %s jobs that Slurm %s (checked %s). No record: %s.%s",
				  job_count_text((double)recorded, with),
				  job_count_text((double)(recorded + missing), all),
				  coverage->untold_s ? "named" : "knows", when,
				  coverage_reasons(coverage->missing, why), untold);
	return length < 0 ? NULL : text;
}

void coverage_put(const struct coverage *coverage, int64_t recorded, struct json_object *to)
{
	struct json_object *object, *why;
	char when[TIME_TEXT];

	if (!coverage->until_us) {
		put_null(to, "coverage");
		return;
	}
	object = put_object(to, "coverage");
	put_count(object, "known_to_slurm", recorded + coverage_missing(coverage));
	put_count(object, "recorded", recorded);
	put_text(object, "compared", time_text(coverage->until_us * 1000, when));
	put_count(object, "untold_s", coverage->untold_s);
	why = put_object(object, "missing");
	for (size_t i = 0; i < MISSING_REASONS; i++)
		put_count(why, reasons[i].name, coverage->missing[reasons[i].reason]);
}
