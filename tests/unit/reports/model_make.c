/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that what is added to a report is in it, and that gaps name what it does not know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/memory/arena.h"
#include "reports/json/gaps.h"
#include "reports/model/report_gaps.h"
#include "reports/model/report_make.h"
#include "tests/unit/reports/report_case.h"

static struct report *new_report(void)
{
	struct report *report = report_new(NULL);

	assert_non_null(report);
	return report;
}

/* ---- lists ---- */

static const char *numbered(struct report *report, const char *what, size_t number)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %zu", what, number);
	return report_copy(report, text);
}

static void assert_numbered(const char *text, const char *what, size_t number)
{
	char expected[64];

	snprintf(expected, sizeof(expected), "%s %zu", what, number);
	assert_string_equal(text, expected);
}

#define MANY 5000

/* Each list must move, because something always follows it. */
static void lists_grow_beside_each_other(void **state)
{
	cleanup_report struct report *report = new_report();

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		REPORT_ADD(report, &report->findings, finding)->code = numbered(report, "finding", i);
		REPORT_ADD(report, &report->findings.items[0].evidence, evidence)->name = numbered(report, "number", i);
		REPORT_ADD(report, &report->gaps, gap)->name = numbered(report, "gap", i);
	}
	assert_true(report->findings.known && report->findings.count == MANY && report->gaps.count == MANY);
	assert_int_equal(report->findings.items[0].evidence.count, MANY);
	for (size_t i = 0; i < MANY; i++) {
		assert_numbered(report->findings.items[i].code, "finding", i);
		assert_numbered(report->findings.items[0].evidence.items[i].name, "number", i);
		assert_numbered(report->gaps.items[i].name, "gap", i);
		assert_true(report->gaps.items[i].known);
		assert_null(report->gaps.items[i].reason);
	}
	assert_false(report_lacks_memory(report));
}

static void nothing_is_known_of_what_was_appended(void **state)
{
	cleanup_report struct report *report = new_report();
	const struct report_tool *tool = REPORT_ADD(report, &report->tools, tool);

	(void)state;
	assert_true(tool->known && !tool->name && !tool->slurm.known && !tool->states.known);
	assert_true(tool->runs == REPORT_UNKNOWN && isnan(report_s(tool->wall_s)) && isnan(report_s(tool->cpu_s)));
}

static struct report *read_steps(size_t count)
{
	cleanup_json struct json_object *json = json_object_new_object();
	struct json_object *steps = put_array(json, "steps"), *nodes = put_array(json, "nodes");
	char text[64];

	for (size_t i = 0; i < count; i++) {
		struct json_object *step = json_object_new_object(), *node = json_object_new_object();

		snprintf(text, sizeof(text), "step %zu", i);
		put_text(step, "id", text);
		json_object_array_add(steps, step);
		snprintf(text, sizeof(text), "node %zu", i);
		put_text(node, "name", text);
		json_object_array_add(nodes, node);
	}
	return report_of(json);
}

static void a_list_that_was_read_can_grow(void **state)
{
	(void)state;
	for (size_t count = 0; count < 40; count++) {
		cleanup_report struct report *report = read_steps(count);

		for (size_t i = count; i < count + 20; i++)
			REPORT_ADD(report, &report->steps, step)->id = numbered(report, "step", i);
		assert_int_equal(report->steps.count, count + 20);
		for (size_t i = 0; i < count + 20; i++)
			assert_numbered(report->steps.items[i].id, "step", i);
		assert_int_equal(report->nodes.count, count);
		for (size_t i = 0; i < count; i++)
			assert_numbered(report->nodes.items[i].name, "node", i);
	}
}

/* Callers check only at the end whether there was memory. */
static void without_memory_all_can_be_made_but_lacks(void **state)
{
	cleanup_report struct report *report = new_report();

	(void)state;
	report_arena(report)->most = 16 << 10;
	for (size_t i = 0; i < MANY; i++) {
		struct report_finding *finding = REPORT_ADD(report, &report->findings, finding);

		for (int k = 0; k < 3; k++) {
			struct report_evidence *number = REPORT_ADD(report, &finding->evidence, evidence);

			assert_true(number->known && !number->name && isnan(number->value.number));
			number->name = "a name";
			number->value.number = k;
		}
		finding->text = report_copy(report, "a text");
		report_add_ratio(report, &finding->threshold, "a name", 1);
		assert_true(finding->known && !finding->code);
	}
	assert_true(report_lacks_memory(report));
	assert_true(report->findings.count < MANY);
	assert_null(report_copy(report, "a text"));
}

static void what_was_made_is_written(void **state)
{
	cleanup_report struct report *report = new_report();
	struct report_finding *finding = REPORT_ADD(report, &report->findings, finding);
	struct report_evidence *number;
	cleanup_json struct json_object *json = NULL;

	(void)state;
	finding->code = "a-code";
	report_add_ratio(report, &finding->threshold, "one", 0.25);
	report_add_ratio(report, &finding->threshold, "other", 60);
	number = REPORT_ADD(report, &finding->evidence, evidence);
	number->name = "calls";
	number->value = (struct report_value){ .number = 7, .whole = true };
	json = report_objects(report);
	assert_string_equal(json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN),
			    "{\"findings\":[{\"code\":\"a-code\",\"evidence\":[{\"name\":\"calls\",\"value\":7}],"
			    "\"threshold\":{\"one\":0.250000,\"other\":60.000000}}]}");
}

/* ---- texts ---- */

static void a_text_is_copied_as_valid_utf8(void **state)
{
	cleanup_report struct report *report = new_report();
	char text[] = "a\xff\xc3z", valid[] = "\xc3\xa4 \xe6\xbc\xa2";
	const char *copy = report_copy(report, text), *same = report_copy(report, valid);

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	memset(valid, 'x', sizeof(valid) - 1);
	assert_string_equal(copy, "a\xef\xbf\xbd\xef\xbf\xbdz");
	assert_string_equal(same, "\xc3\xa4 \xe6\xbc\xa2");
	assert_string_equal(report_copy(report, ""), "");
	assert_null(report_copy(report, NULL));
	assert_false(report_lacks_memory(report));
}

/* ---- gaps ---- */

static void a_gap_is_found_by_its_name(void **state)
{
	cleanup_json struct json_object *json = json_tokener_parse(
		"{\"gaps\": [3, {}, {\"name\": null}, {\"name\": \"used.cpu_s\", \"reason\": \"r\"}, {\"name\": \"states\"}]}");
	cleanup_report struct report *report = report_of(json), *none = new_report();

	(void)state;
	assert_true(report_has_gap(&report->gaps, "used.cpu_s"));
	assert_true(report_has_gap(&report->gaps, "states"));
	assert_false(report_has_gap(&report->gaps, "used"));
	assert_false(report_has_gap(&report->gaps, "used.cpu_s.more"));
	assert_false(report_has_gap(&none->gaps, "states"));
}

#define LIBAIO "libaio is counted for O_DIRECT alone"

static void a_gap_may_be_about_nothing_that_the_job_did(void **state)
{
	cleanup_report struct report *report = new_report();

	(void)state;
	assert_true(report_gap_concerns(report, "used.cpu_s", "it was not counted"));
	assert_false(report_gap_concerns(report, "files", "files = off in stint.conf"));
	assert_true(report_gap_concerns(report, "files", "files = off in stint.conf of n1 alone"));
	assert_false(report_gap_concerns(report, "used.user_s", "n1: " GAP_NO_TICK " fell into it"));
	assert_false(report_gap_concerns(report, "used.async_read_bytes", LIBAIO));
	report->used.async_read_bytes = report->used.async_write_bytes = 0;
	assert_false(report_gap_concerns(report, "used.async_read_bytes", LIBAIO));
	assert_true(report_gap_concerns(report, "used.async_read_bytes", "it was not counted"));
	assert_true(report_gap_concerns(report, "used.read_bytes", LIBAIO));
	report->used.async_write_bytes = 1;
	assert_true(report_gap_concerns(report, "used.async_read_bytes", LIBAIO));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_grow_beside_each_other),
		cmocka_unit_test(nothing_is_known_of_what_was_appended),
		cmocka_unit_test(a_list_that_was_read_can_grow),
		cmocka_unit_test(without_memory_all_can_be_made_but_lacks),
		cmocka_unit_test(what_was_made_is_written),
		cmocka_unit_test(a_text_is_copied_as_valid_utf8),
		cmocka_unit_test(a_gap_is_found_by_its_name),
		cmocka_unit_test(a_gap_may_be_about_nothing_that_the_job_did),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
