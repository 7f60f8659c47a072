/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that pieces of an arena keep their contents, however they grow, and that its bound holds. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/memory/arena.h"

#define PIECES 3000

static size_t size_of(size_t i)
{
	return i * 7919 % 5000;
}

static void pieces_keep_their_content(void **state)
{
	static unsigned char *pieces[PIECES];
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < PIECES; i++) {
		pieces[i] = arena_get(&arena, size_of(i));
		assert_non_null(pieces[i]);
		assert_int_equal((uintptr_t)pieces[i] % 16, 0);
		memset(pieces[i], (int)(i % 251), size_of(i));
	}
	for (size_t i = 0; i < PIECES; i++)
		for (size_t k = 0; k < size_of(i); k++)
			assert_int_equal(pieces[i][k], i % 251);
	arena_free(&arena);
	assert_int_equal(arena.bytes, 0);
	assert_non_null(arena_get(&arena, 1));
	arena_free(&arena);
}

/* Each of two arrays is the last piece in turn. */
static void an_array_grows(void **state)
{
	struct arena arena = { 0 };
	size_t *one = NULL, *other = NULL, count = 0;

	(void)state;
	for (; count < 200000; count++) {
		one = arena_resize(&arena, one, count * sizeof(*one), (count + 1) * sizeof(*one));
		assert_non_null(one);
		one[count] = count;
		if (count % 1000)
			continue;
		other = arena_resize(&arena, other, count * sizeof(*other), (count + 1000) * sizeof(*other));
		assert_non_null(other);
		for (size_t i = count; i < count + 1000; i++)
			other[i] = ~i;
	}
	for (size_t i = 0; i < count; i++)
		assert_true(one[i] == i && other[i] == ~i);
	arena_free(&arena);
}

static void a_piece_alone_in_its_chunk_takes_no_more_than_it_needs(void **state)
{
	struct arena arena = { 0 };
	char *piece = arena_get(&arena, 2 << 20);

	(void)state;
	for (size_t mib = 2; mib < 64; mib *= 2) {
		piece = arena_resize(&arena, piece, mib << 20, 2 * mib << 20);
		assert_non_null(piece);
		memset(piece, 1, 2 * mib << 20);
	}
	assert_true(arena.bytes <= 65 << 20);
	arena_free(&arena);
}

static void what_a_shrunk_piece_leaves_is_used_again(void **state)
{
	struct arena arena = { 0 };
	char *piece = arena_get(&arena, 1024);

	(void)state;
	assert_ptr_equal(arena_resize(&arena, piece, 1024, 16), piece);
	assert_ptr_equal(arena_get(&arena, 16), piece + 16);
	arena_free(&arena);
}

static void the_bound_holds(void **state)
{
	struct arena arena = { .most = 100 << 10 };
	size_t used = 0;
	char *large;

	(void)state;
	while (arena_get(&arena, 1000))
		used += 1000;
	assert_int_equal(errno, EFBIG);
	assert_true(used > 40 << 10 && used <= 100 << 10);
	assert_true(arena.bytes <= arena.most);
	assert_null(arena_get(&arena, SIZE_MAX - 3));
	arena_free(&arena);
	large = arena_get(&arena, 60 << 10);
	assert_non_null(large);
	assert_null(arena_resize(&arena, large, 60 << 10, 101 << 10));
	assert_int_equal(errno, EFBIG);
	assert_non_null(arena_resize(&arena, large, 60 << 10, 99 << 10));
	arena_free(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_keep_their_content),
		cmocka_unit_test(an_array_grows),
		cmocka_unit_test(a_piece_alone_in_its_chunk_takes_no_more_than_it_needs),
		cmocka_unit_test(what_a_shrunk_piece_leaves_is_used_again),
		cmocka_unit_test(the_bound_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
