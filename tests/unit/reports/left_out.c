/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that the report is the same if sums of 0 are left out of the record (SUM_REST). What is not known stays so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/records/sums.h"
#include "tests/unit/reports/asserts.h"

#define SUM_NAME(sum, in_record, ...) #in_record,
static const char *const sum_names[] = { SUM_LIST(SUM_NAME) };

/* Leaves out of an object with @count sums what the collector leaves out. @rest: how many it says there are */
static void leave_out(struct json_object *object, int count, int rest)
{
	int64_t value;

	for (int i = 0; object && i < count; i++)
		if (!field_count(object, sum_names[i], &value))
			put_null(object, sum_names[i]);
		else if (value == 0)
			json_object_object_del(object, sum_names[i]);
	if (object)
		put_count(object, SUM_REST, rest);
}

static void leave_out_of_list(struct json_object *record, const char *list, const char *name, int count, int rest)
{
	struct json_object *array = field_find(record, list);

	for (size_t i = 0; i < field_length(array); i++) {
		struct json_object *one = json_object_array_get_idx(array, i);

		leave_out(name ? field_find(one, name) : one, count, rest);
	}
}

static void leave_out_waits(struct json_object *waits)
{
	for (enum wait_kind k = 0; waits && k < WAIT_KINDS; k++) {
		struct json_object *wait = field_find(waits, record_wait_name(k));
		int64_t count = -1, some_ns = -1;

		field_count(wait, "waits", &count);
		field_count(wait, "some_ns", &some_ns);
		if (count == 0 && some_ns == 0)
			json_object_object_del(waits, record_wait_name(k));
		else if (count < 0)
			put_null(waits, record_wait_name(k));
	}
	if (waits)
		put_count(waits, SUM_REST, WAIT_KINDS);
}

/* @more: how many more sums the writer's list has than the reader's */
static void leave_out_all(struct json_object *record, int more)
{
	leave_out(field_find(record, "totals"), SUM_PROCESSES, SUM_PROCESSES + more);
	leave_out_of_list(record, "steps", "totals", SUM_PROCESSES, SUM_PROCESSES + more);
	leave_out_of_list(record, "tools", NULL, SUM_PROCESSES, SUM_PROCESSES + more);
	leave_out_of_list(record, "timeline", NULL, SUMS_OF_ENTRY, SUMS_OF_ENTRY + more);
	leave_out_waits(field_find(record, "pressure.waits"));
}

/* Sums that the record has none of become 0, except for the last one. */
static void fill(struct json_object *object, int count)
{
	int64_t value;

	for (int i = 0; object && i < count - 1; i++)
		if (!field_count(object, sum_names[i], &value))
			put_count(object, sum_names[i], 0);
}

static void fill_waits(struct json_object *record)
{
	struct json_object *waits = field_find(record, "pressure.waits");

	for (enum wait_kind k = 0; waits && k < WAIT_KINDS; k++)
		if (!field_find(waits, record_wait_name(k)))
			json_object_object_add(waits, record_wait_name(k),
					       json_tokener_parse("{\"some_ns\": 0, \"full_ns\": 0, \"bound_ns\": 0, \"waits\": 0}"));
}

static struct json_object *load_filled(const char *name)
{
	struct json_object *record = load(name), *steps = field_find(record, "steps");
	struct json_object *tools = field_find(record, "tools"), *timeline = field_find(record, "timeline");

	fill(field_find(record, "totals"), SUM_PROCESSES);
	for (size_t i = 0; i < field_length(steps); i++)
		fill(field_find(json_object_array_get_idx(steps, i), "totals"), SUM_PROCESSES);
	for (size_t i = 0; i < field_length(tools); i++)
		fill(json_object_array_get_idx(tools, i), SUM_PROCESSES);
	for (size_t i = 0; i < field_length(timeline); i++)
		fill(json_object_array_get_idx(timeline, i), SUMS_OF_ENTRY);
	fill_waits(record);
	return record;
}

static void assert_same_report(const char *const names[2], const char *slurm_name, bool filled)
{
	cleanup_json struct json_object *slurm = load(slurm_name), *whole = NULL, *lacking = NULL;
	struct json_object *records[2], *others[2];
	size_t count = names[1] ? 2 : 1, whole_length = 0, length = 0;

	for (size_t i = 0; i < count; i++) {
		records[i] = filled ? load_filled(names[i]) : load(names[i]);
		others[i] = filled ? load_filled(names[i]) : load(names[i]);
		whole_length += strlen(json_object_to_json_string(records[i]));
		leave_out_all(others[i], 0);
		length += strlen(json_object_to_json_string(others[i]));
	}
	assert_true(!filled || length < whole_length);
	whole = build(records, count, slurm);
	lacking = build(others, count, slurm);
	assert_string_equal(json_object_to_json_string(lacking), json_object_to_json_string(whole));
	for (size_t i = 0; i < count; i++) {
		json_object_put(records[i]);
		json_object_put(others[i]);
	}
}

static void the_report_is_the_same_without_the_zeros(void **state)
{
	static const char *const one[] = { "record-one.json", NULL }, *const two[] = { "record-two-n1.json", "record-two-n2.json" };

	(void)state;
	for (int filled = 0; filled < 2; filled++) {
		assert_same_report(one, "slurm-one.json", filled);
		assert_same_report(two, "slurm-two.json", filled);
	}
}

static void what_is_null_is_not_known(void **state)
{
	cleanup_json struct json_object *record = load_filled("record-one.json"), *report = NULL;

	(void)state;
	leave_out_all(record, 0);
	put_null(field_find(record, "totals"), "read_bytes");
	put_null(field_find(record, "pressure.waits"), "network");
	report = build(&record, 1, NULL);
	assert_absent(report, "used.read_bytes");
	assert_true(gaps_have(field_find(report, "gaps"), "used.read_bytes"));
	assert_absent(report, "states.some.network_s");
	assert_absent(report, "states.waits.network");
}

static void what_another_version_left_out_is_not_known(void **state)
{
	cleanup_json struct json_object *record = load_filled("record-one.json"), *report = NULL;
	struct json_object *totals = field_find(record, "totals"), *entry;

	(void)state;
	put_count(totals, "write_bytes", 0);
	leave_out_all(record, 1);
	report = build(&record, 1, NULL);
	assert_count(report, "used.processes", 5012);
	assert_absent(report, "used.write_bytes");
	assert_true(gaps_have(field_find(report, "gaps"), "used.write_bytes"));
	entry = json_object_array_get_idx(field_find(report, "timeline"), 0);
	assert_non_null(field_find(entry, "cpu_s"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_report_is_the_same_without_the_zeros),
		cmocka_unit_test(what_is_null_is_not_known),
		cmocka_unit_test(what_another_version_left_out_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
