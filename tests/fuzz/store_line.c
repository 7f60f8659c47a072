/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the store lines of a batch. An accepted line makes a report.
 * A line made from it is within its limits, and can be read again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reports/builder/build_report.h"
#include "reports/json/field.h"
#include "reports/store/store_line.h"
#include "tests/fuzz/built.h"
#include "tests/fuzz/fuzz.h"

static const struct record_slurm_job *slurm_of(const struct store_line *line)
{
	return line->record->slurm_job.known ? &line->record->slurm_job : NULL;
}

static void check_again(const struct store_line *line)
{
	struct store_line again;
	struct error err;
	size_t len;
	char *text = store_line_make(line->record, slurm_of(line), true, &len, &err);

	HOLDS(text && len <= STORE_LINE_MAX && text[len - 1] == '\n' && strlen(text) == len);
	HOLDS(store_line_read(text, len, "again:1", &again, &err) == 0);
	HOLDS(again.identity.job_id == line->identity.job_id && again.identity.attempt == line->identity.attempt);
	store_line_free(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct store_line line;
	struct report *report;
	struct error err;
	size_t len;
	char *text = fuzz_text(&data, &size, &len);

	if (!text)
		return 0;
	errno = 0;
	if (store_line_read(text, len, "batch:1", &line, &err) < 0) {
		HOLDS(errno == EBADMSG || errno == EPROTONOSUPPORT);
		HOLDS(!line.record && err.text[0]);
		free(text);
		return 0;
	}
	HOLDS(line.identity.node && *line.identity.node && line.revision >= 0);
	report = build_report(&(struct build_input){
		.records = (const struct record *[]){ line.record }, .record_count = 1, .slurm = slurm_of(&line), .now_unix_ns = INT64_C(1800000000000000000) });
	HOLDS(report);
	store_line_finish_report(report);
	built_check_report(report);
	report_free(report);
	check_again(&line);
	store_line_free(&line);
	free(text);
	return 0;
}
