/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A store line comes back from the store as it was; a damaged one is refused, or is some text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/lines/line_pack.h"
#include "reports/store/store_line.h"

static void a_line_comes_back_as_it_was(void **state)
{
	struct line_packer *packer = line_packer_new();
	char text[3000];
	struct error err;
	size_t size, length;

	(void)state;
	memset(text, 'x', sizeof(text));
	for (size_t used = 1; used < sizeof(text); used = used * 3 + 1) {
		cleanup_free void *packed = line_pack(packer, text, used, &size);
		cleanup_free char *back = line_unpack(packer, packed, size, &length, &err);

		assert_non_null(back);
		assert_int_equal(length, used);
		assert_memory_equal(back, text, used);
		assert_null(line_unpack(packer, packed, size - 1, &length, &err));
		*(char *)packed = 9;
		assert_null(line_unpack(packer, packed, size, &length, &err));
	}
	line_packer_free(packer);
}

static void check_line(struct line_packer *packer, const char *text, size_t length)
{
	struct error err = { "" };
	size_t size, back_length;
	cleanup_free char *packed = line_pack(packer, text, length, &size);
	cleanup_free char *back = line_unpack(packer, packed, size, &back_length, &err);

	assert_non_null(packed);
	assert_non_null(back);
	assert_int_equal(back_length, length);
	assert_memory_equal(back, text, length);
}

static void numbers_of_a_line_come_back_digit_by_digit(void **state)
{
	static const char *const texts[] = {
		"[0,00,01,10,100,1000,1001,10010,12000,-1500,1500.25,1e4567,\"1234\",1234]",
		"[9999999999999999999,10000000000000000000,18446744073709551615,18446744073709551616,1000000000000000000]",
		"[1763678225600000000,1763678225600000001,1763678225600000000,1763678225599999999,1763678225000000000]",
		"[1000000000000,10000000000000,100000000000000,120000000000000,1234567,1234566,1234568,1234567]",
		"{\"a\":1234,\"b\":[1234,5678,\x01,\x01\x01,1234],\"c\":12345,,:[1234", ",1234,", ":1234]", "\x01", "1234,",
	};
	struct line_packer *packer = line_packer_new();
	cleanup_free char *many = malloc(STORE_LINE_MAX);
	size_t length = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		check_line(packer, texts[i], strlen(texts[i]));
	/* looking for a number that was used before must end */
	for (uint64_t i = 0; length < STORE_LINE_MAX - 32; i++)
		length += (size_t)snprintf(many + length, 32, ",%llu", (unsigned long long)(1000 + i * i % 700 * 37));
	check_line(packer, many, length);
	memset(many, ',', STORE_LINE_MAX);
	check_line(packer, many, STORE_LINE_MAX);
	line_packer_free(packer);
}

static void a_damaged_line_is_refused_or_is_some_text(void **state)
{
	static const char text[] = "{\"stint_store\":1,\"a\":[1763678225600000000,1763678225600123456,4096,4096,1234567]}";
	struct line_packer *packer = line_packer_new();
	struct error err = { "" };
	size_t size, length;
	cleanup_free unsigned char *packed = line_pack(packer, text, sizeof(text) - 1, &size);

	(void)state;
	for (size_t i = 0; i < size; i++)
		for (int bit = 0; bit < 8; bit++) {
			cleanup_free char *back = NULL;

			packed[i] ^= (unsigned char)(1 << bit);
			back = line_unpack(packer, packed, size, &length, &err);
			assert_true(!back || length <= STORE_LINE_MAX);
			packed[i] ^= (unsigned char)(1 << bit);
		}
	for (size_t cut = 0; cut < size; cut++) {
		cleanup_free char *back = line_unpack(packer, packed, cut, &length, &err);

		assert_true(!back || length <= STORE_LINE_MAX);
	}
	line_packer_free(packer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_comes_back_as_it_was),
		cmocka_unit_test(numbers_of_a_line_come_back_digit_by_digit),
		cmocka_unit_test(a_damaged_line_is_refused_or_is_some_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
