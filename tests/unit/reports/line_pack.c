/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a store line comes back unchanged. A damaged one is refused, or is some text. */
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
#include "reports/lines/line_split.h"
#include "reports/store/store_line.h"

struct back {
	const struct line_owner *owners;
	const char *const *texts;
	const size_t *lengths;
	size_t count;
	int64_t wanted; /* a job id; 0: all are wanted */
};

static bool is_wanted(void *context, const struct line_owner *owner)
{
	const struct back *back = context;

	return !back->wanted || back->wanted == owner->job_id;
}

static int check_back(void *context, const struct line_owner *owner, const char *text, size_t length, struct error *err)
{
	struct back *back = context;

	(void)err;
	assert_memory_equal(owner, &back->owners[back->count], sizeof(*owner));
	assert_int_equal(length, back->lengths[back->count]);
	assert_memory_equal(text, back->texts[back->count], length);
	assert_int_equal(text[length], 0);
	back->count++;
	return 0;
}

/* Packs lines, and checks that they come back. Returns the packed size. */
static size_t check_lines(struct line_packer *packer, const struct line_owner *owners, const char *const *texts,
			  const size_t *lengths, size_t count)
{
	cleanup_free struct line_of *lines = calloc(count, sizeof(*lines));
	struct back back = { owners, texts, lengths, 0, 0 };
	const struct lines_reading reading = { is_wanted, check_back, &back };
	cleanup_free void *packed = NULL;
	struct error err = { "" };
	size_t size = 0;

	for (size_t i = 0; i < count; i++) {
		lines[i] = (struct line_of){ owners[i], line_pack_split(packer, texts[i], lengths[i]) };
		assert_non_null(lines[i].split);
	}
	packed = lines_pack(packer, lines, count, &size);
	assert_non_null(packed);
	for (size_t i = 0; i < count; i++)
		free((void *)(uintptr_t)lines[i].split);
	assert_int_equal(lines_unpack(packer, packed, size, &reading, &err), 0);
	assert_int_equal(back.count, count);
	assert_int_equal(lines_unpack(packer, packed, size - 1, &reading, &err), -1);
	back.wanted = -5;
	assert_int_equal(lines_unpack(packer, packed, size, &reading, &err), 0);
	assert_int_equal(back.count, count);
	*(char *)packed = 9;
	assert_int_equal(lines_unpack(packer, packed, size, &reading, &err), -1);
	return size;
}

static void a_line_comes_back_as_it_was(void **state)
{
	const struct line_owner owner = { INT64_MAX, INT32_MAX, -1763678225 };
	struct line_packer *packer = line_packer_new();
	const char *texts[1];
	char text[3000];

	(void)state;
	memset(text, 'x', sizeof(text));
	texts[0] = text;
	for (size_t used = 1; used < sizeof(text); used = used * 3 + 1)
		check_lines(packer, &owner, texts, &used, 1);
	line_packer_free(packer);
}

#define MANY 100

static void lines_of_many_jobs_come_back_and_need_less_room_together(void **state)
{
	struct line_packer *packer = line_packer_new();
	struct line_owner owners[MANY];
	char *texts[MANY];
	size_t lengths[MANY], alone = 0, together;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		owners[i] = (struct line_owner){ 1000 + (int64_t)(i / 2) * 7, (int64_t)i % 3, 1763678225 - (int64_t)i * 100 };
		lengths[i] = (size_t)asprintf(&texts[i], "{\"stint_store\":1,\"a\":[%zu,%zu,\"%0*d\"]}\n", 123456789 * (i + 1),
					      1763678225600000000 + i, (int)(i * 3), 7);
		alone += check_lines(packer, &owners[i], (const char *const *)&texts[i], &lengths[i], 1);
	}
	together = check_lines(packer, owners, (const char *const *)texts, lengths, MANY);
	assert_true(together < alone / 2);
	for (size_t i = 0; i < MANY; i++)
		free(texts[i]);
	line_packer_free(packer);
}

static void check_line(struct line_packer *packer, const char *text, size_t length)
{
	const struct line_owner owner = { 1, 0, 1 };

	check_lines(packer, &owner, &text, &length, 1);
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
	/* the search for an earlier number must end */
	for (uint64_t i = 0; length < STORE_LINE_MAX - 32; i++)
		length += (size_t)snprintf(many + length, 32, ",%llu", (unsigned long long)(1000 + i * i % 700 * 37));
	check_line(packer, many, length);
	memset(many, ',', STORE_LINE_MAX);
	check_line(packer, many, STORE_LINE_MAX);
	line_packer_free(packer);
}

/* Fills @line with numbers of @digits digits up to its last byte, which ends the last number. Returns how many numbers there are. */
static size_t fill_with_numbers(char *line, size_t digits, uint64_t step)
{
	uint64_t least = 1, number;
	size_t count = 0, length = 0;

	for (size_t i = 1; i < digits; i++)
		least *= 10;
	for (number = least; length + digits + 2 <= STORE_LINE_MAX; count++, number = least + (number - least + step) % (9 * least))
		length += (size_t)sprintf(line + length, ",%llu", (unsigned long long)number);
	memset(line + length, ',', STORE_LINE_MAX - length);
	return count;
}

/* The shortest numbers that become marks are the most of them; the longest have the most bits. */
static void the_longest_line_has_room_for_its_numbers_of_any_length(void **state)
{
	static const uint64_t steps[] = { 1, 7919, 1234567, UINT64_C(999999999999999989) };
	static struct line_parts parts;
	struct line_packer *packer = line_packer_new();
	cleanup_free char *line = malloc(STORE_LINE_MAX + 1), *back = malloc(STORE_LINE_MAX);

	(void)state;
	for (size_t digits = 1; digits <= 19; digits++)
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
			size_t count = fill_with_numbers(line, digits, steps[i]);

			assert_int_equal(count, (STORE_LINE_MAX - 1) / (digits + 1));
			assert_true(line_split(line, STORE_LINE_MAX, &parts));
			assert_true(parts.text_size <= STORE_LINE_MAX && parts.code_size <= STORE_LINE_MAX && parts.bits_size <= STORE_LINE_MAX);
			assert_int_equal(line_join(&parts, back), STORE_LINE_MAX);
			assert_memory_equal(back, line, STORE_LINE_MAX);
			check_line(packer, line, STORE_LINE_MAX);
			/* the line may end with a digit of its last number */
			check_line(packer, line, count * (digits + 1));
		}
	line[STORE_LINE_MAX] = ',';
	assert_false(line_split(line, STORE_LINE_MAX + 1, &parts));
	line_packer_free(packer);
	/* a mark for each byte: no line has as many numbers */
	memset(&parts, 0, sizeof(parts));
	memset(parts.text, 1, STORE_LINE_MAX);
	parts.text_size = parts.code_size = parts.bits_size = STORE_LINE_MAX;
	assert_int_equal(line_join(&parts, back), -1);
}

static int count_back(void *context, const struct line_owner *owner, const char *text, size_t length, struct error *err)
{
	(void)owner;
	(void)text;
	(void)err;
	assert_true(length <= STORE_LINE_MAX);
	++*(size_t *)context;
	return 0;
}

static void a_damaged_pack_is_refused_or_is_some_text(void **state)
{
	static const char text[] = "{\"stint_store\":1,\"a\":[1763678225600000000,1763678225600123456,4096,4096,1234567]}";
	struct line_packer *packer = line_packer_new();
	cleanup_free struct line_split *split = line_pack_split(packer, text, sizeof(text) - 1);
	const struct line_of lines[] = { { { 1, 0, 5 }, split }, { { 2, 0, 5 }, split }, { { 3, 1, 7 }, split } };
	struct error err = { "" };
	size_t size, count = 0;
	const struct lines_reading reading = { NULL, count_back, &count };
	cleanup_free unsigned char *packed = lines_pack(packer, lines, 3, &size);

	(void)state;
	for (size_t i = 0; i < size; i++)
		for (int bit = 0; bit < 8; bit++) {
			packed[i] ^= (unsigned char)(1 << bit);
			lines_unpack(packer, packed, size, &reading, &err);
			packed[i] ^= (unsigned char)(1 << bit);
		}
	for (size_t cut = 0; cut < size; cut++)
		assert_int_equal(lines_unpack(packer, packed, cut, &reading, &err), -1);
	count = 0;
	assert_int_equal(lines_unpack(packer, packed, size, &reading, &err), 0);
	assert_int_equal(count, 3);
	line_packer_free(packer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_comes_back_as_it_was),
		cmocka_unit_test(lines_of_many_jobs_come_back_and_need_less_room_together),
		cmocka_unit_test(numbers_of_a_line_come_back_digit_by_digit),
		cmocka_unit_test(the_longest_line_has_room_for_its_numbers_of_any_length),
		cmocka_unit_test(a_damaged_pack_is_refused_or_is_some_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
