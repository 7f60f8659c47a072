/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that arrays grow by doubling, keep their contents, and are unchanged if out of memory. */
#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/memory/array.h"
#include "common/memory/memory_limit.h"

static void an_array_keeps_its_items(void **state)
{
	uint64_t *list = NULL;

	(void)state;
	for (size_t i = 0; i < 10000; i++) {
		assert_true(array_room(&list, i, sizeof(*list)));
		assert_true(malloc_usable_size(list) >= (i + 1) * sizeof(*list));
		list[i] = i;
	}
	for (size_t i = 0; i < 10000; i++)
		assert_int_equal(list[i], i);
	free(list);
}

static void it_moves_only_at_powers_of_two(void **state)
{
	uint64_t *list = NULL, *before;

	(void)state;
	for (size_t i = 0; i < 1024; i++) {
		before = list;
		assert_true(array_room(&list, i, sizeof(*list)));
		if (i & (i - 1))
			assert_ptr_equal(list, before);
	}
	free(list);
}

static void items_may_be_taken_off_its_end(void **state)
{
	uint64_t *list = NULL;
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < 3000; i++) {
		if (i % 7 == 6)
			count /= 2;
		assert_true(array_room(&list, count, sizeof(*list)));
		assert_true(malloc_usable_size(list) >= (count + 1) * sizeof(*list));
		list[count++] = i;
	}
	free(list);
}

#ifndef MEMORY_SANITIZED /* a sanitizer takes this request for a mistake */
static void without_memory_it_is_as_it_was(void **state)
{
	uint64_t *list = NULL, *before;

	(void)state;
	assert_true(array_room(&list, 0, sizeof(*list)));
	before = list;
	*list = 42;
	errno = 0;
	assert_false(array_room(&list, (size_t)1 << 62, sizeof(*list)));
	assert_int_equal(errno, ENOMEM);
	assert_ptr_equal(list, before);
	assert_int_equal(*list, 42);
	free(list);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_keeps_its_items),
		cmocka_unit_test(it_moves_only_at_powers_of_two),
		cmocka_unit_test(items_may_be_taken_off_its_end),
#ifndef MEMORY_SANITIZED
		cmocka_unit_test(without_memory_it_is_as_it_was),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
