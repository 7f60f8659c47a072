/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that memory in chunks keeps its contents, is reused, and may be freed by any thread. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/memory/memory_limit.h"
#include "common/memory/memory_quick.h"

#define BLOCKS 20000 /* fill a part of all chunks' room */

/* A sanitizer must see each block by itself. */
#ifdef MEMORY_SANITIZED
#define IS_QUICK false
#else
#define IS_QUICK true
#endif

static unsigned char *blocks[BLOCKS];

static size_t size_of(size_t i)
{
	return 1 + i * 7919 % 3000;
}

static void fill(void)
{
	for (size_t i = 0; i < BLOCKS; i++) {
		blocks[i] = i % 2 ? malloc(size_of(i)) : calloc(1, size_of(i));
		assert_non_null(blocks[i]);
		assert_int_equal((uintptr_t)blocks[i] % 16, 0);
		for (size_t k = 0; i % 2 == 0 && k < size_of(i); k++)
			assert_int_equal(blocks[i][k], 0);
		memset(blocks[i], (int)(i % 251), size_of(i));
	}
}

static void check_and_free(size_t from, size_t step)
{
	for (size_t i = from; i < BLOCKS; i += step) {
		if (i % 5 == 0) {
			blocks[i] = realloc(blocks[i], size_of(i) + 5000);
			assert_non_null(blocks[i]);
		}
		for (size_t k = 0; k < size_of(i); k++)
			assert_int_equal(blocks[i][k], i % 251);
		free(blocks[i]);
	}
}

static void *free_some(void *unused)
{
	memory_quick(true);
	check_and_free(1, 3);
	memory_quick(false);
	memory_quick_end();
	return unused;
}

static void what_is_written_stays_whoever_frees_it(void **state)
{
	pthread_t thread;

	(void)state;
	for (int round = 0; round < 5; round++) {
		memory_quick(true);
		fill();
		memory_quick(false);
		assert_int_equal(pthread_create(&thread, NULL, free_some, NULL), 0);
		check_and_free(0, 3);
		check_and_free(2, 3);
		pthread_join(thread, NULL);
	}
}

static void memory_that_was_freed_is_used_again(void **state)
{
	(void)state;
	/* 30 MB each time, and 128 MiB is all there is. */
	for (int round = 0; round < 12; round++) {
		memory_quick(true);
		fill();
		for (size_t i = 0; i < BLOCKS; i++)
			assert_int_equal(memory_quick_has(blocks[i]), IS_QUICK);
		memory_quick(false);
		for (size_t i = 0; i < BLOCKS; i++)
			free(blocks[i]);
	}
	memory_quick_end();
}

static void beyond_its_room_and_outside_it_is_the_librarys(void **state)
{
	void *large, *small;

	(void)state;
	large = calloc(1, 64);
	assert_false(memory_quick_has(large));
	free(large);
	memory_quick(true);
	large = calloc(1, 1 << 20);
	small = calloc(1, 16);
	memory_quick(false);
	assert_false(memory_quick_has(large));
	free(large);
	large = realloc(small, 1 << 20);
	assert_non_null(large);
	free(large);
	memory_quick_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_stays_whoever_frees_it),
		cmocka_unit_test(memory_that_was_freed_is_used_again),
		cmocka_unit_test(beyond_its_room_and_outside_it_is_the_librarys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
