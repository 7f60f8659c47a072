/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a map finds each of its keys, and no other. Keys are bytes, and one may begin another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/memory/map.h"

static void an_empty_map_has_no_key(void **state)
{
	struct map map = { 0 };

	(void)state;
	assert_null(map_find(&map, "", 0));
	assert_null(map_find(&map, "a", 1));
	map_free(&map);
}

static void each_key_has_its_own_number(void **state)
{
	struct map map = { 0 };
	char key[24];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int size = snprintf(key, sizeof(key), "key %d", i);
		struct map_entry *entry = map_get(&map, key, (size_t)size);

		assert_non_null(entry);
		assert_int_equal(entry->number, 0);
		entry->number = i + 1;
	}
	assert_int_equal(map.count, 20000);
	for (int i = 0; i < 20000; i++) {
		int size = snprintf(key, sizeof(key), "key %d", i);

		assert_int_equal(map_find(&map, key, (size_t)size)->number, i + 1);
		assert_int_equal(map_get(&map, key, (size_t)size)->number, i + 1);
	}
	assert_int_equal(map.count, 20000);
	assert_null(map_find(&map, "key 20000", 9));
	map_free(&map);
}

static void keys_are_bytes(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
	} keys[] = { { "", 0 }, { "\0", 1 }, { "a", 1 }, { "a\0", 2 }, { "a\0b", 3 }, { "a\0c", 3 }, { "ab", 2 } };
	struct map map = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		assert_null(map_find(&map, keys[i].bytes, keys[i].size));
		map_get(&map, keys[i].bytes, keys[i].size)->number = (int64_t)i;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_int_equal(map_find(&map, keys[i].bytes, keys[i].size)->number, i);
	map_free(&map);
}

static void entries_are_in_the_order_in_which_they_came(void **state)
{
	struct map map = { 0 };

	(void)state;
	for (int i = 99; i >= 0; i--)
		map_get(&map, &i, sizeof(i))->number = i;
	for (int i = 0; i < 100; i++) {
		assert_int_equal(map.list[i].number, 99 - i);
		assert_memory_equal(map.list[i].key, &(int){ 99 - i }, sizeof(int));
	}
	map_free(&map);
	assert_int_equal(map.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_has_no_key),
		cmocka_unit_test(each_key_has_its_own_number),
		cmocka_unit_test(keys_are_bytes),
		cmocka_unit_test(entries_are_in_the_order_in_which_they_came),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
