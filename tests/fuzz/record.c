/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes node records on their way to the report.
 * The input is this node's record, Slurm's answer, and other nodes' parts, which the user can write.
 * The report must be JSON, and the same when it is read again.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/builder/build_report.h"
#include "reports/builder/record_join.h"
#include "reports/builder/report_files.h"
#include "reports/builder/report_series.h"
#include "reports/files/part_form.h"
#include "reports/model/report_write.h"
#include "reports/records/kept.h"
#include "reports/records/record.h"
#include "reports/records/record_parts.h"
#include "tests/fuzz/built.h"
#include "tests/fuzz/fuzz.h"

#define RECORDS_MAX 4

/* Leaves something out, as the writer for several nodes does. */
static void trim(struct record *record)
{
	record_trim_timeline(record, 3);
	series_trim(record, 3);
	files_trim(record, 2);
	kept_choose(record);
}

/* @bounds: limits for a part; else NULL */
static struct record *parse_record(const uint8_t **data, size_t *size, struct part_bounds *bounds)
{
	struct record_identity identity;
	struct record *record = NULL;
	struct error err;
	size_t len;
	char *text = fuzz_text(data, size, &len);

	if (text && bounds)
		record = part_form_read(text, len, bounds, "part", &identity, &err);
	else if (text)
		record = record_read(text, len, NULL, "record", &identity, &err);
	HOLDS(!record || (identity.node && *identity.node && identity.job_id && identity.attempt));
	return record;
}

/* Joins the record with itself, as far as the records are then known. */
static void join(struct record *record)
{
	struct record *former;
	struct error err;

	if (!record->continues)
		return;
	former = record_copy(record);
	HOLDS(former);
	former->opened_unix_ns = REPORT_UNKNOWN;
	former->continues = false;
	HOLDS(record_join(former, record, &err) == 0 && !record->continues);
	record_free(former);
}

/* A report of copies of the records must be the same as @report. */
static void check_copies(const struct build_input *input, const struct report *report)
{
	struct record *copies[RECORDS_MAX];
	const struct record *of[RECORDS_MAX];
	struct build_input copied = *input;
	struct report *again;
	char *text, *again_text;
	size_t len;

	for (size_t i = 0; i < input->record_count; i++) {
		of[i] = copies[i] = record_copy(input->records[i]);
		HOLDS(copies[i]);
	}
	copied.records = of;
	again = build_report(&copied);
	HOLDS(again);
	for (size_t i = 0; i < input->record_count; i++)
		record_free(copies[i]);
	text = report_write(report, &len);
	again_text = report_write(again, &len);
	HOLDS(text && again_text && strcmp(text, again_text) == 0);
	free(text);
	free(again_text);
	report_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct build_missing missing[] = { { "n9", "its record has not arrived" } };
	struct record *records[RECORDS_MAX];
	const struct record *of[RECORDS_MAX];
	struct slurm_answer *answer = NULL;
	struct report *report;
	struct part_bounds bounds = part_form_begin(RECORDS_MAX);
	struct build_input input = { .records = of, .now_unix_ns = INT64_C(1700000000000000000) };
	struct error err;
	char *slurm;
	size_t len;

	records[0] = parse_record(&data, &size, NULL);
	if (!records[0])
		return 0;
	join(records[0]);
	input.record_count = 1;
	slurm = fuzz_text(&data, &size, &len);
	if (slurm)
		answer = slurm_answer_read(slurm, len, "slurm", &err);
	input.slurm = slurm_answer_job(answer);
	input.slurm_reason = "no such job";
	input.missing = missing;
	while (size && input.record_count < RECORDS_MAX) {
		struct record *record = parse_record(&data, &size, &bounds);

		if (record)
			records[input.record_count++] = record;
		else
			input.missing_count = 1;
	}
	for (size_t i = 0; i < input.record_count; i++) {
		of[i] = records[i];
		if (input.record_count > 1)
			trim(records[i]);
	}
	report = build_report(&input);
	HOLDS(report);
	built_check_report(report);
	if (input.record_count > 1) /* a single record is never copied */
		check_copies(&input, report);
	report_free(report);
	for (size_t i = 0; i < input.record_count; i++)
		record_free(records[i]);
	slurm_answer_free(answer);
	return 0;
}
