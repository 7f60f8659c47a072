/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that lists of numbers come back from their text, and that a text of another form is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "reports/facts/number_lists.h"

#define NUMBERS 5
#define NONE NUMBER_LISTS_NULL

static const int64_t values[][NUMBERS] = {
	{ 0, 1, 2, 3, 4 },
	{ 12, NONE, NONE, NONE, NONE },
	{ 7, NONE, 5, NONE, NONE },
	{ -1, INT64_MAX, -INT64_MAX, 0, NONE },
};
#define LISTS (sizeof(values) / sizeof(values[0]))

static char *make(size_t lists, size_t *size)
{
	char *text = malloc(number_lists_room(lists, NUMBERS) + 1);

	assert_non_null(text);
	*size = number_lists_put(text, values[0], lists, NUMBERS);
	assert_true(*size <= number_lists_room(lists, NUMBERS));
	text[*size] = '\0';
	return text;
}

static void lists_come_back(void **state)
{
	(void)state;
	for (size_t count = 0; count <= LISTS; count++) {
		size_t size;
		char *text = make(count, &size);
		struct number_lists lists = number_lists_begin(text, size);
		int64_t read[NUMBERS];

		assert_int_equal(number_lists_count(text, size), count);
		for (size_t i = 0; i < count; i++) {
			assert_true(number_lists_next(&lists, read, NUMBERS));
			assert_memory_equal(read, values[i], sizeof(read));
		}
		assert_false(number_lists_next(&lists, read, NUMBERS));
		assert_false(lists.damaged);
		free(text);
	}
}

static void the_text_is_json(void **state)
{
	size_t size;
	char *text = make(LISTS, &size);
	struct json_object *json = json_tokener_parse(text);

	(void)state;
	assert_string_equal(text, "[[0,1,2,3,4],[12,null],[7,null,5],[-1,9223372036854775807,-9223372036854775807,0]]");
	assert_int_equal(json_object_array_length(json), LISTS);
	json_object_put(json);
	free(text);
}

static bool is_damaged(const char *text, size_t size)
{
	struct number_lists lists = number_lists_begin(text, size);
	int64_t read[NUMBERS];

	while (number_lists_next(&lists, read, NUMBERS))
		;
	return lists.damaged;
}

static void another_text_is_refused(void **state)
{
	static const char *const bad[] = {
		"", "[", "]", "[[", "[]]", "[]x", "[1]", "[[]]", "[[1]", "[[1],]", "[[1]]]", "[[1][2]]", "[[1,]]", "[[-]]", "[[1 ]]",
		"[[9223372036854775808]]", "[[1,2,3,4,5,6]]", "[[nul]]", "[[1.5]]", "{}", "null", "[[1]],",
	};
	size_t size;
	char *text = make(LISTS, &size);

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_true(is_damaged(bad[i], strlen(bad[i])));
	for (size_t cut = 0; cut < size; cut++)
		assert_true(is_damaged(text, cut));
	assert_false(is_damaged(text, size));
	assert_false(is_damaged("[]", 2));
	assert_false(is_damaged(NULL, 0));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_come_back),
		cmocka_unit_test(the_text_is_json),
		cmocka_unit_test(another_text_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
