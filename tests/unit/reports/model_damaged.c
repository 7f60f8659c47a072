/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the reader of reports treats the unexpected as unknown, and refuses what is not JSON. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/reports/model_case.h"

#define DEPTH 15 /* as deep as a report may nest */

static void refuses(const char *text, const char *why)
{
	struct error err = { "" };
	struct report *report = report_read(strdup(text), strlen(text), &report_want_all, "t", &err);

	if (report)
		fail_msg("it was read: %s", text);
	assert_int_equal(errno, EBADMSG);
	if (!strstr(err.text, why))
		fail_msg("%s, and not %s, in: %s", err.text, why, text);
}

static void no_json_is_refused(void **state)
{
	(void)state;
	refuses("", "ends too soon");
	refuses("[]", "not a JSON object");
	refuses("7", "not a JSON object");
	refuses("{", "ends too soon");
	refuses("{}{}", "more text");
	refuses("{\"job\": {\"id\": 01}}", "an unexpected character");
	refuses("{\"job\": {\"id\": +1}}", "an unexpected character");
	refuses("{\"job\": {\"id\": 1,}}", "an unexpected character");
	refuses("{\"job\" {}}", "an unexpected character");
	refuses("{\"used\": {\"cpu_s\": NaN}}", "an unexpected character");
	refuses("{\"other\": [1 2]}", "an unexpected character");
	refuses("{\"complete\": True}", "an unexpected character");
	refuses("{\"mode\": \"\x80\"}", "an unexpected character");
	refuses("{\"mode\": \"a\nb\"}", "an unexpected character");
	refuses("{\"mode\": \"\\x41\"}", "an unexpected character");
}

static void cut_short(const char *name, const char *text)
{
	size_t length = strlen(text);

	while (length && text[length - 1] != '}')
		length--;
	for (size_t at = 1; at < length; at += 1 + at / 16) {
		char *copy = strndup(text, at);
		struct error err = { "" };
		struct report *report = report_read(copy, at, &report_want_all, name, &err);

		if (report)
			fail_msg("%s was read up to byte %zu", name, at);
		assert_true(err.text[0]);
	}
}

static void what_is_cut_short_is_refused(void **state)
{
	(void)state;
	model_each_fixture(cut_short);
}

static void nested(char *text, const char *begin, const char *bracket, const char *end, int depth)
{
	char *at = stpcpy(text, begin);

	for (int i = 0; i < depth; i++)
		at = stpcpy(at, bracket);
	for (int i = 0; i < depth; i++)
		at = stpcpy(at, end);
	strcpy(at, "}");
}

static void what_nests_deeper_than_any_report_is_refused(void **state)
{
	char text[512];

	(void)state;
	nested(text, "{\"other\": ", "[", "]", DEPTH - 1);
	report_free(model_of(text));
	nested(text, "{\"other\": ", "[", "]", DEPTH);
	refuses(text, "too deep");
	nested(text, "{\"tools\": ", "[", "]", DEPTH);
	refuses(text, "too deep");
	nested(text, "{\"job\": 1, \"mode\": ", "[", "]", DEPTH);
	refuses(text, "too deep");
}

static void what_has_another_type_is_not_known(void **state)
{
	static const char *const values[] = {
		"null", "true",	 "false", "0", "-1",   "1.5", "-0.0", "1e999", "99999999999999999999", "\"x\"", "\"\"",
		"[]",	"[[1]]", "{}",	  "[null, -1, 2.5, \"a\", {}, true, 7]", "{\"a\": 1, \"b\": null, \"c\": \"d\", \"e\": -2}",
		"[{\"name\": 1, \"pid\": -3, \"start\": [], \"tasks\": {}, \"states\": 7}]",
	};
	const struct report_object *whole = report_whole();
	char text[512];

	(void)state;
	for (size_t f = 0; f < whole->count; f++) {
		const struct report_object *of = whole->fields[f].of ? whole->fields[f].of() : NULL;

		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
			snprintf(text, sizeof(text), "{\"%s\": %s}", whole->fields[f].name, values[v]);
			assert_model_agrees(whole->fields[f].name, text);
			for (size_t i = 0; of && i < of->count; i++) {
				bool list = whole->fields[f].type == REPORT_TYPE_LIST;

				snprintf(text, sizeof(text), "{\"%s\": %s{\"%s\": %s}%s}", whole->fields[f].name, list ? "[" : "",
					 of->fields[i].name, values[v], list ? "]" : "");
				assert_model_agrees(of->fields[i].name, text);
			}
		}
	}
}

static void an_unknown_field_is_skipped(void **state)
{
	cleanup_report struct report *report =
		model_of("{\"newer\": {\"a\": [1, {\"b\": null}]}, \"job\": {\"newer\": \"x\", \"id\": 7, \"\": []}, \"mode\": \"m\"}");

	(void)state;
	assert_true(report->job.id == 7);
	assert_string_equal(report->mode, "m");
}

static void of_two_with_one_name_the_last_counts(void **state)
{
	static const char text[] = "{\"job\": {\"id\": 1, \"uid\": 2}, \"tools\": [{}, {}], \"mode\": \"a\","
				   " \"job\": {\"id\": 3, \"id\": 4}, \"tools\": [{\"runs\": 1}], \"mode\": 7}";
	cleanup_report struct report *report = model_of(text);

	(void)state;
	assert_model_agrees("twice", text);
	assert_true(report->job.id == 4 && report->job.uid == REPORT_UNKNOWN && report->tools.count == 1 && !report->mode);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_json_is_refused),
		cmocka_unit_test(what_is_cut_short_is_refused),
		cmocka_unit_test(what_nests_deeper_than_any_report_is_refused),
		cmocka_unit_test(what_has_another_type_is_not_known),
		cmocka_unit_test(an_unknown_field_is_skipped),
		cmocka_unit_test(of_two_with_one_name_the_last_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
