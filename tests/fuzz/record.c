/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Node records on their way to the report: this node's, then Slurm's answer, then the parts of other nodes, which the
 * user can write. The result is JSON, "stint report" reads it, and it says the same when it is read again.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/builder/build_report.h"
#include "reports/builder/record_join.h"
#include "reports/builder/report_files.h"
#include "reports/builder/report_series.h"
#include "reports/builder/settle.h"
#include "reports/files/part_form.h"
#include "reports/json/field.h"
#include "reports/model/report_write.h"
#include "reports/records/record_input.h"
#include "tests/fuzz/built.h"
#include "tests/fuzz/fuzz.h"

#define RECORDS_MAX 4

/* Like the writer for several nodes; here few are kept, so that something is left out. */
static void trim(struct json_object *record)
{
	record_trim_timeline(record, 3);
	series_trim(record, 3);
	files_trim(record, 2);
}

/* @bounds: for a part, which is accepted within them; otherwise NULL */
static struct json_object *parse_record(const uint8_t **data, size_t *size, struct part_bounds *bounds)
{
	struct record_identity identity;
	struct json_object *record = NULL;
	struct error err;
	size_t len;
	char *text = fuzz_text(data, size, &len);

	if (text && bounds) {
		char *let_in = part_form_admit(text, len, bounds, "part", &len, &err);

		free(text);
		text = let_in;
		HOLDS(!text || strlen(text) <= len);
	}
	if (text)
		record = record_parse(text, len, "record", &identity, &err);
	HOLDS(!record || (identity.node && *identity.node && identity.job_id && identity.attempt));
	free(text);
	return record;
}

/* A record that continues another one: here the other one is the same, as far as that is known. */
static void join(struct json_object *record)
{
	struct json_object *former = NULL;
	struct error err;

	if (!field_true(record, "continues") || json_object_deep_copy(record, &former, NULL) < 0)
		return;
	json_object_object_del(former, "opened_unix_ns");
	json_object_object_del(former, "continues");
	HOLDS(record_join(former, record, &err) < 0 || !field_find(record, "continues"));
	json_object_put(former);
}

/* The report of the settled records is @report, which was made of them before. */
static void check_settled(const struct build_input *input, const struct report *report)
{
	struct report *again;
	char *text, *again_text;
	size_t len;

	for (size_t i = 0; i < input->record_count; i++)
		settle_record(input->records[i], input->slurm);
	again = build_report(input);
	HOLDS(again);
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
	struct json_object *records[RECORDS_MAX];
	struct report *report;
	struct part_bounds bounds = part_form_begin(RECORDS_MAX);
	struct build_input input = { .records = records, .now_unix_ns = INT64_C(1700000000000000000) };
	struct error err;
	char *slurm;
	size_t len;

	records[0] = parse_record(&data, &size, NULL);
	if (!records[0])
		return 0;
	join(records[0]);
	input.record_count = 1;
	slurm = fuzz_text(&data, &size, &len);
	input.slurm = slurm ? field_parse(slurm, len, "slurm", json_type_object, &err) : NULL;
	input.slurm_reason = "no such job";
	input.missing = missing;
	while (size && input.record_count < RECORDS_MAX) {
		struct json_object *record = parse_record(&data, &size, &bounds);

		if (record)
			records[input.record_count++] = record;
		else
			input.missing_count = 1;
	}
	for (size_t i = 0; input.record_count > 1 && i < input.record_count; i++)
		trim(records[i]);
	report = build_report(&input);
	HOLDS(report);
	built_check_report(report);
	if (input.record_count > 1) /* no other is settled */
		check_settled(&input, report);
	report_free(report);
	for (size_t i = 0; i < input.record_count; i++)
		json_object_put(records[i]);
	json_object_put(input.slurm);
	free(slurm);
	return 0;
}
