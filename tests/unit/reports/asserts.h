/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of the fixtures' records, and assertions about them. */
#ifndef STINT_ASSERTS_H
#define STINT_ASSERTS_H

#include <math.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/builder/build_report.h"
#include "reports/json/gaps.h"
#include "reports/records/record.h"
#include "tests/unit/reports/agrees.h"
#include "tests/unit/reports/fixture.h"
#include "tests/unit/reports/report_case.h"

#define NOW_NS (INT64_C(1763700000) * NS_PER_S) /* after all times in the fixtures */

/* Returns the record in @json, as its reader sees it. The caller must free it. */
static inline struct record *record_of(struct json_object *json)
{
	const char *text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN);
	struct record_identity identity;
	struct error err = { "" };
	struct record *record = record_parse(text, strlen(text), "record", &identity, &err);

	if (!record)
		fail_msg("%s", err.text);
	return record;
}

static inline struct slurm_answer *answer_of(struct json_object *json)
{
	char *text = json ? strdup(json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN)) : NULL;
	struct error err = { "" };
	struct slurm_answer *answer = text ? slurm_answer_read(text, strlen(text), "slurm", &err) : NULL;

	if (text && !answer)
		fail_msg("%s", err.text);
	return answer;
}

#define RECORDS_MAX 64

static inline struct report *build_records(const struct record *const *records, size_t count, const struct record_slurm_job *slurm)
{
	const struct build_input input = {
		.records = records,
		.record_count = count,
		.slurm = slurm,
		.slurm_reason = slurm ? NULL : "slurmctld is away",
		.group = "jgroup",
		.now_unix_ns = NOW_NS,
	};
	struct report *report = build_report(&input);

	assert_agrees(&input, report);
	return report;
}

static inline struct report *build_model(struct json_object **records, size_t count, struct json_object *slurm)
{
	cleanup_answer struct slurm_answer *answer = answer_of(slurm);
	struct record *read[RECORDS_MAX];
	const struct record *of[RECORDS_MAX];
	struct report *report;

	assert_true(count <= RECORDS_MAX);
	for (size_t i = 0; i < count; i++)
		of[i] = read[i] = record_of(records[i]);
	report = build_records(of, count, slurm_answer_job(answer));
	for (size_t i = 0; i < count; i++)
		record_free(read[i]);
	return report;
}

static inline struct json_object *build(struct json_object **records, size_t count, struct json_object *slurm)
{
	return report_into_objects(build_model(records, count, slurm));
}

static inline struct json_object *build_one(const char *record_name, const char *slurm_name)
{
	cleanup_json struct json_object *record = load(record_name);
	cleanup_json struct json_object *slurm = slurm_name ? load(slurm_name) : NULL;

	return build(&record, 1, slurm);
}

static inline struct json_object *build_two(void)
{
	cleanup_json struct json_object *slurm = load("slurm-two.json");
	struct json_object *records[] = { load("record-two-n1.json"), load("record-two-n2.json") };
	struct json_object *report = build(records, 2, slurm);

	json_object_put(records[0]);
	json_object_put(records[1]);
	return report;
}

static inline void assert_count(struct json_object *json, const char *name, int64_t expected)
{
	int64_t value = -1;

	if (!field_count(json, name, &value))
		fail_msg("%s is not there", name);
	if (value != expected)
		fail_msg("%s is %lld, not %lld", name, (long long)value, (long long)expected);
}

static inline void assert_number(struct json_object *json, const char *name, double expected)
{
	double value = -1;

	if (!field_number(json, name, &value))
		fail_msg("%s is not there", name);
	if (fabs(value - expected) > 1e-6 * (1 + fabs(expected)))
		fail_msg("%s is %.9f, not %.9f", name, value, expected);
}

static inline void assert_text(struct json_object *json, const char *name, const char *expected)
{
	const char *text = field_text(json, name);

	if (!text)
		fail_msg("%s is not there", name);
	assert_string_equal(text, expected);
}

static inline void assert_absent(struct json_object *json, const char *name)
{
	if (field_find(json, name))
		fail_msg("%s is there", name);
}

static inline void assert_gap(struct json_object *report, const char *name)
{
	assert_absent(report, name);
	if (!gaps_have(field_find(report, "gaps"), name))
		fail_msg("%s is not among the gaps", name);
}

static inline const char *gap_reason(struct json_object *report, const char *name)
{
	struct json_object *gaps = field_typed(report, "gaps", json_type_array);

	for (size_t i = 0; i < field_length(gaps); i++) {
		struct json_object *gap = json_object_array_get_idx(gaps, i);

		if (strcmp(field_text(gap, "name"), name) == 0)
			return field_text(gap, "reason");
	}
	return "";
}

static inline struct json_object *element(struct json_object *report, const char *list, size_t i)
{
	return json_object_array_get_idx(field_typed(report, list, json_type_array), i);
}

static inline size_t length(struct json_object *report, const char *list)
{
	return field_length(field_typed(report, list, json_type_array));
}

#endif
