/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that unknown values are absent from JSON, and that all its text is valid UTF-8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/json_writer.h"

static void assert_json(struct json_object *object, const char *expected)
{
	assert_string_equal(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN), expected);
	json_object_put(object);
}

static void a_text_that_is_not_known_is_absent(void **state)
{
	struct json_object *object = json_object_new_object();

	(void)state;
	put_known_text(object, "a", NULL);
	put_known_text(object, "b", "");
	put_known_text(object, "c", "x");
	put_text(object, "d", NULL);
	put_text(object, "e", "");
	assert_json(object, "{\"c\":\"x\",\"e\":\"\"}");
}

static void a_text_becomes_valid(void **state)
{
	struct json_object *object = json_object_new_object();

	(void)state;
	put_text(object, "a", "z\xc3\xbc");
	put_known_text(object, "b", "z\xff");
	assert_json(object, "{\"a\":\"z\xc3\xbc\",\"b\":\"z\xef\xbf\xbd\"}");
}

static void a_path_that_is_not_utf8_has_its_bytes_beside_it(void **state)
{
	struct json_object *object = json_object_new_object();

	(void)state;
	put_path(object, "none", "none_hex", "");
	put_path(object, "a", "a_hex", "~z\xc3\xbc");
	put_path(object, "b", "b_hex", "~z\xff");
	assert_json(object, "{\"a\":\"~z\xc3\xbc\",\"b\":\"~z\xef\xbf\xbd\",\"b_hex\":\"7e7aff\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_that_is_not_known_is_absent),
		cmocka_unit_test(a_text_becomes_valid),
		cmocka_unit_test(a_path_that_is_not_utf8_has_its_bytes_beside_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
