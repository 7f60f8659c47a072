/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that JSON read in place has the values that json-c reads, and that other text is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/json/view.h"

/* A copy with nothing after its end, so that a sanitizer detects reads there; and the values. */
struct read {
	char *text;
	struct view *values;
	struct error err;
	int result;
};

static struct read read_text(const char *text)
{
	struct read read = { .text = strdup(text), .values = calloc(view_room(strlen(text)), sizeof(struct view)) };

	assert_non_null(read.text);
	assert_non_null(read.values);
	read.result = view_read(read.text, strlen(text), "t", read.values, &read.err);
	return read;
}

static void forget(struct read *read)
{
	free(read->text);
	free(read->values);
}

static void assert_same(const struct view *view, struct json_object *json)
{
	size_t i = 0;

	switch (json_object_get_type(json)) {
	case json_type_null:
		assert_int_equal(view->type, VIEW_NULL);
		break;
	case json_type_boolean:
		assert_int_equal(view->type, VIEW_FLAG);
		assert_int_equal(view->number, json_object_get_boolean(json));
		break;
	case json_type_int:
		assert_int_equal(view->type, VIEW_INT);
		assert_true(view->number == json_object_get_int64(json));
		break;
	case json_type_double:
		assert_int_equal(view->type, VIEW_REAL);
		break;
	case json_type_string:
		assert_int_equal(view->type, VIEW_TEXT);
		assert_int_equal(view->number, json_object_get_string_len(json));
		assert_memory_equal(view->text, json_object_get_string(json), (size_t)view->number + 1);
		break;
	case json_type_array:
		assert_int_equal(view->type, VIEW_LIST);
		assert_int_equal(view->number, json_object_array_length(json));
		view_each(at, view)
			assert_same(at, json_object_array_get_idx(json, i++));
		assert_int_equal(i, view->number);
		break;
	case json_type_object:
		assert_int_equal(view->type, VIEW_OBJECT);
		assert_int_equal(view->number, json_object_object_length(json));
		json_object_object_foreach(json, name, value) {
			assert_true(view_has(view, name));
			if (value)
				assert_same(view_find(view, name), value);
			else
				assert_null(view_find(view, name));
		}
	}
}

static void what_json_c_reads_is_read_alike(void **state)
{
	static const char *const texts[] = {
		"{}", "[]", " [ ] ", "null", "true", "false", "0", "-0", "7", "-12", "9223372036854775807", "-9223372036854775808",
		"9223372036854775808", "18446744073709551615", "18446744073709551616", "99999999999999999999999999990",
		"-9223372036854775809", "-99999999999999999999", "1.5", "-1e3", "2E+4", "0.25e-1", "\"\"", "\"a\"",
		"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0041\\u00e4\\u20ac\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\ude00x\"",
		"\"\\ud83d\\u0041\"", "\"\\u0000\"", "\"\xc3\xa4\"", "[1,[2,[3,[]]],{}]", "{\"a\":1,\"b\":[null,{\"c\":\"d\"}]}",
		"{ \"a\" : { \"b\" : { \"c\" : [ true , false ] } } }\n", "[[[[[[[[[[[[[[1]]]]]]]]]]]]]]",
		"[\"x\\ty\",\"z\"]", "{\"\":0}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct read read = read_text(texts[i]);
		struct json_object *json = json_tokener_parse(texts[i]);

		if (read.result < 0)
			fail_msg("%s: %s", texts[i], read.err.text);
		assert_same(read.values, json);
		json_object_put(json);
		forget(&read);
	}
}

static void what_is_no_json_is_refused(void **state)
{
	static const char *const texts[] = {
		"", " ", "{", "[", "}", "]", "{]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
		"{\"a\" 1}", "{1:2}", "nul", "nulll", "True", "NaN", "Infinity", "+1", "01", "-", "-01", "1.", ".5", "1e", "1e+", "0x1",
		"\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\n\"",
		"\"\x01\"", "'a'", "1 1", "{} {}", "[]]", "[[[[[[[[[[[[[[[[[[[[", "[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]",
		"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct read read = read_text(texts[i]);

		if (read.result == 0)
			fail_msg("%s was read", texts[i]);
		assert_non_null(strstr(read.err.text, "t: damaged JSON at byte "));
		if (field_parse(texts[i], strlen(texts[i]), "t", json_type_int, NULL))
			fail_msg("%s was parsed", texts[i]);
		forget(&read);
	}
}

static void members_are_found_by_dotted_names(void **state)
{
	struct read read = read_text("{\"a\": {\"b\": 5, \"c\": null, \"ab\": -1}, \"b\": \"x\", \"n\": null, \"a.b\": 9, \"b\": \"y\"}");
	int64_t value = 1;

	(void)state;
	assert_int_equal(read.result, 0);
	assert_true(view_count(read.values, "a.b", &value));
	assert_int_equal(value, 5);
	assert_false(view_count(read.values, "a.ab", &value));
	assert_false(view_count(read.values, "b", &value));
	assert_int_equal(value, 5);
	assert_null(view_find(read.values, "a.c"));
	assert_null(view_find(read.values, "a.b.c"));
	assert_null(view_find(read.values, "a.x"));
	assert_null(view_find(NULL, "a"));
	assert_string_equal(view_find(read.values, "b")->text, "y");
	assert_true(view_has(read.values, "n"));
	assert_false(view_has(read.values, "m"));
	assert_true(view_is(view_find(read.values, "a"), VIEW_OBJECT));
	assert_false(view_is(view_find(read.values, "n"), VIEW_NULL));
	forget(&read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_json_c_reads_is_read_alike),
		cmocka_unit_test(what_is_no_json_is_refused),
		cmocka_unit_test(members_are_found_by_dotted_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
