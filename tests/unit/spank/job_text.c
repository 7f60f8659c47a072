/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that sizes in Slurm's texts are read with their unit, and that any byte of a user becomes UTF-8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "common/utf8.h"
#include "spank/slurm_job/tres.h"

#define MIB (1024ull * 1024)

static void counts_of_tres_are_read(void **state)
{
	uint32_t count = 99;

	(void)state;
	assert_int_equal(tres_count("cpu=4,mem=2G,node=2,billing=4", "cpu", &count), 0);
	assert_int_equal(count, 4);
	assert_int_equal(tres_count("cpu=4,mem=2G,node=2", "node", &count), 0);
	assert_int_equal(count, 2);
	assert_int_equal(tres_count("cpu=4", "node", &count), -1);
	assert_int_equal(tres_count("gres/cpu=4", "cpu", &count), -1);
	assert_int_equal(tres_count("cpu=", "cpu", &count), -1);
	assert_int_equal(tres_count("cpu=4x", "cpu", &count), -1);
	assert_int_equal(tres_count(NULL, "cpu", &count), -1);
	assert_int_equal(count, 2);
}

static void counts_of_gres_are_added_up_over_their_types(void **state)
{
	uint32_t count = 99;

	(void)state;
	assert_int_equal(gres_count("gpu:2", "gpu", &count), 0);
	assert_int_equal(count, 2);
	assert_int_equal(gres_count("shard:8,gpu:a100:4,gpu:v100:1,license:3", "gpu", &count), 0);
	assert_int_equal(count, 5);
	assert_int_equal(gres_count("gpu:0", "gpu", &count), -1);
	assert_int_equal(gres_count("gpus:2,shard:gpu:2", "gpu", &count), -1);
	assert_int_equal(gres_count("gpu", "gpu", &count), -1);
	assert_int_equal(gres_count("gpu:,gpu:a100,gpu:x2", "gpu", &count), -1);
	assert_int_equal(gres_count("gpu:2,gpu:4294967293", "gpu", &count), -1);
	assert_int_equal(gres_count("gpu:99999999999999999999", "gpu", &count), -1);
	assert_int_equal(gres_count("", "gpu", &count), -1);
	assert_int_equal(gres_count(NULL, "gpu", &count), -1);
}

static void memory_is(const char *tres, uint64_t expected)
{
	uint64_t bytes = 0;

	assert_int_equal(tres_memory(tres, &bytes), 0);
	assert_true(bytes == expected);
}

static void allocated_memory_is_read_with_its_unit(void **state)
{
	(void)state;
	memory_is("cpu=1,mem=200M,node=1", 200 * MIB);
	memory_is("mem=1.50G", 1536 * MIB);
	memory_is("mem=2T", 2 * MIB * MIB);
	memory_is("mem=512K,cpu=1", MIB / 2);
	memory_is("cpu=1,mem=200", 200 * MIB);
}

static void memory_that_is_not_told_is_not_zero(void **state)
{
	uint64_t bytes;

	(void)state;
	assert_int_equal(tres_memory(NULL, &bytes), -1);
	assert_int_equal(tres_memory("", &bytes), -1);
	assert_int_equal(tres_memory("cpu=1,gres/mem=5", &bytes), -1);
	assert_int_equal(tres_memory("mem=", &bytes), -1);
	assert_int_equal(tres_memory("mem=5Q", &bytes), -1);
	assert_int_equal(tres_memory("mem=-5M", &bytes), -1);
}

static void becomes(const char *text, const char *expected)
{
	char *valid = utf8_valid(text);

	assert_string_equal(valid, expected);
	free(valid);
}

static void valid_text_stays(void **state)
{
	(void)state;
	becomes("", "");
	becomes("a\n\"b", "a\n\"b");
	becomes("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	becomes("\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf");
}

static void every_invalid_byte_is_replaced(void **state)
{
	(void)state;
	becomes("a\xff" "b", "a\xef\xbf\xbd" "b");
	becomes("\xc3", "\xef\xbf\xbd");
	becomes("\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd");
	becomes("\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd");
	becomes("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	becomes("\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	becomes("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_tres_are_read),
		cmocka_unit_test(counts_of_gres_are_added_up_over_their_types),
		cmocka_unit_test(allocated_memory_is_read_with_its_unit),
		cmocka_unit_test(memory_that_is_not_told_is_not_zero),
		cmocka_unit_test(valid_text_stays),
		cmocka_unit_test(every_invalid_byte_is_replaced),
	};

	return cmocka_run_group_tests_name("spank job text", tests, NULL, NULL);
}
