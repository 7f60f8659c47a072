/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the report as a C type has the values of its JSON, and becomes the same JSON again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/model_case.h"

/* An older stint wrote the members in another order. */
enum order { OF_TODAY, OF_ANY_STINT };

static void assert_written_alike(const char *name, struct report *report, const char *text, enum order order)
{
	size_t len, at = 0;
	cleanup_free char *written = report_write(report, &len);
	cleanup_json struct json_object *is = NULL, *was = field_parse(text, strlen(text), name, json_type_object, NULL);

	assert_non_null(written);
	assert_int_equal(len, strlen(written));
	is = field_parse(written, len, name, json_type_object, NULL);
	if (order == OF_ANY_STINT && len == strlen(text) && json_object_equal(is, was))
		return;
	while (written[at] && written[at] == text[at])
		at++;
	if (written[at] == text[at])
		return;
	at = at > 60 ? at - 60 : 0;
	fail_msg("%s: it was %.120s\nand became %.120s", name, text + at, written + at);
}

static void assert_text_written_alike(const char *name, const char *text)
{
	cleanup_report struct report *report = model_of(text);

	assert_written_alike(name, report, text, OF_TODAY);
}

/* ---- reports of the tree ---- */

static void a_fixture_agrees(void **state)
{
	(void)state;
	model_each_fixture(assert_model_agrees);
}

static bool is_in(const char *name, const char *place)
{
	return strstr(name, place);
}

/* Fixtures by hand may have seconds in another form. Once written, they stay the same. */
static void written_alike_or_by_hand(const char *name, const char *text)
{
	cleanup_report struct report *report = model_of(text);
	size_t len;
	cleanup_free char *written = report_write(report, &len);

	assert_non_null(written);
	assert_model_agrees(name, written);
	if (is_in(name, "/data/report-") || is_in(name, "/timeline/") || is_in(name, "/compare/"))
		assert_text_written_alike(name, written);
	else
		assert_written_alike(name, report, text, is_in(name, "/pictures/") ? OF_TODAY : OF_ANY_STINT);
}

static void a_fixture_is_written_alike(void **state)
{
	(void)state;
	model_each_fixture(written_alike_or_by_hand);
}

/* ---- reports that the builder makes ---- */

/* @json: a report as it was written */
static void agrees_and_is_written_alike(struct json_object *json)
{
	cleanup_report struct report *report = report_of(json);
	cleanup_json struct json_object *again = report_objects(report);
	size_t len;
	cleanup_free char *text = report_write(report, &len);

	assert_string_equal(json_object_to_json_string(again), json_object_to_json_string(json));
	assert_model_agrees("the report", text);
	assert_text_written_alike("the report", text);
}

static void a_built_report_is_written_alike(void **state)
{
	static const char *const pairs[][2] = {
		{ "record-one.json", "slurm-one.json" },
		{ "record-one.json", NULL },
		{ "record-old.json", NULL },
		{ "record-poor.json", NULL },
		{ "record-two-n1.json", "slurm-two.json" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		cleanup_json struct json_object *report = build_one(pairs[i][0], pairs[i][1]);

		agrees_and_is_written_alike(report);
	}
}

static void a_report_of_two_nodes_is_written_alike(void **state)
{
	cleanup_json struct json_object *report = build_two();

	(void)state;
	agrees_and_is_written_alike(report);
}

static void hostile_names_are_written_alike(void **state)
{
	cleanup_json struct json_object *report = build_one("record-one.json", "slurm-one.json");
	struct json_object *job = field_find(report, "job");

	(void)state;
	put_text(job, "name", "a\"\\/\b\f\n\r\t\x01\x1f\x7f \u202e \xc2\x85 \U000e0001 ÿ 漢 \U0001f600");
	put_text(job, "work_dir", "");
	agrees_and_is_written_alike(report);
}

/* ---- values ---- */

#define JSON_WITH(member) "{\"schema\": \"stint-report/1\", " member "}"

static void no_digit_of_a_time_is_lost(void **state)
{
	static const struct {
		const char *json;
		int64_t ns;
	} times[] = {
		{ "0.0", 0 },
		{ "0.000000001", 1 },
		{ "1.5", 1500000000 },
		{ "12", INT64_C(12000000000) },
		{ "123456789.123456789", INT64_C(123456789123456789) },
		{ "9223372036.854775807", INT64_MAX },
		{ "9223372036.854775808", REPORT_UNKNOWN },
		{ "99999999999999999999999.5", REPORT_UNKNOWN },
		{ "1.0000000014", 1000000001 },
		{ "1.0000000015", 1000000002 },
		{ "1e2", INT64_C(100000000000) },
		{ "1.5E-3", 1500000 },
		{ "1e300", REPORT_UNKNOWN },
		{ "-1.5", REPORT_UNKNOWN },
		{ "-1", REPORT_UNKNOWN },
		{ "null", REPORT_UNKNOWN },
		{ "\"1\"", REPORT_UNKNOWN },
		{ "{}", REPORT_UNKNOWN },
	};
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		cleanup_report struct report *report = NULL;

		snprintf(text, sizeof(text), JSON_WITH("\"used\": {\"cpu_s\": %s}"), times[i].json);
		report = model_of(text);
		if (report->used.cpu_s.ns != times[i].ns)
			fail_msg("%s is %lld ns", times[i].json, (long long)report->used.cpu_s.ns);
	}
}

static void unknown_null_and_none_are_kept_apart(void **state)
{
	cleanup_report struct report *absent = model_of(JSON_WITH("\"requested\": {\"cpus\": null}"));
	cleanup_report struct report *null = model_of(JSON_WITH("\"requested\": {\"time_limit_s\": null}"));
	cleanup_report struct report *zero = model_of(JSON_WITH("\"requested\": {\"time_limit_s\": 0}"));
	cleanup_report struct report *wrong = model_of(JSON_WITH("\"requested\": {\"time_limit_s\": -1}"));
	size_t len;
	cleanup_free char *written = report_write(null, &len);

	(void)state;
	assert_true(absent->requested.cpus == REPORT_UNKNOWN && absent->requested.time_limit_s == REPORT_UNKNOWN);
	assert_true(null->requested.time_limit_s == REPORT_NONE);
	assert_true(zero->requested.time_limit_s == 0);
	assert_true(wrong->requested.time_limit_s == REPORT_UNKNOWN);
	assert_non_null(strstr(written, "\"time_limit_s\": null"));
	assert_true(isnan(report_number(null->requested.time_limit_s)) && isnan(report_s(null->used.cpu_s)));
}

static void nothing_is_known_of_an_absent_object(void **state)
{
	cleanup_report struct report *report = model_of("{}");

	(void)state;
	assert_true(report->known && !report->used.known && !report->used.network.unix.known && !report->tools.known);
	assert_true(report->used.network.unix.rx_bytes == REPORT_UNKNOWN && isnan(report->verdict.share));
	assert_null(report->job.workflow.engine);
	assert_false(report->complete.known || report->so_far || report->allocated.exclusive);
}

static void an_empty_list_is_not_an_absent_one(void **state)
{
	cleanup_report struct report *report = model_of(JSON_WITH("\"files\": [], \"tools\": [{\"states\": {}}]"));
	size_t len;
	cleanup_free char *written = report_write(report, &len);

	(void)state;
	assert_true(report->files.known && report->files.count == 0 && !report->nodes.known);
	assert_true(report->tools.items[0].states.known);
	assert_string_equal(written, "{\n  \"schema\": \"stint-report/1\",\n  \"tools\": [\n    { \"states\": { } }\n  ],\n"
				     "  \"files\": []\n}\n");
}

/* ---- parts ---- */

static void only_wanted_parts_are_read(void **state)
{
	static const struct report_want want = { REPORT_PART(job) | REPORT_PART(tools), REPORT_PARTS, 0 };
	static const char text[] = JSON_WITH("\"used\": {\"cpu_s\": [1,,]}, \"job\": {\"id\": 7}, \"tools\": [{}]");
	struct error err = { "" };
	cleanup_report struct report *report = report_read(strdup(text), strlen(text), &want, "t", &err);

	(void)state;
	assert_non_null(report);
	assert_true(report->job.id == 7 && report->tools.count == 1 && !report->used.known && !report->schema);
}

static void reading_ends_at_a_part_though_the_text_is_cut(void **state)
{
	static const struct report_want want = { UINT64_MAX, REPORT_PART_tools, 0 };
	static const char text[] = "{\"job\": {\"id\": 7}, \"tools\": [{\"na";
	struct error err = { "" };
	cleanup_report struct report *report = report_read(strdup(text), strlen(text), &want, "t", &err);

	(void)state;
	assert_non_null(report);
	assert_true(report->job.id == 7 && !report->tools.known);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fixture_agrees),
		cmocka_unit_test(a_fixture_is_written_alike),
		cmocka_unit_test(a_built_report_is_written_alike),
		cmocka_unit_test(a_report_of_two_nodes_is_written_alike),
		cmocka_unit_test(hostile_names_are_written_alike),
		cmocka_unit_test(no_digit_of_a_time_is_lost),
		cmocka_unit_test(unknown_null_and_none_are_kept_apart),
		cmocka_unit_test(nothing_is_known_of_an_absent_object),
		cmocka_unit_test(an_empty_list_is_not_an_absent_one),
		cmocka_unit_test(only_wanted_parts_are_read),
		cmocka_unit_test(reading_ends_at_a_part_though_the_text_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
