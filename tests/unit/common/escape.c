/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that no text of a user can control the terminal of its reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "common/error.h"
#include "common/escape.h"
#include "common/utf8.h"

static void assert_escaped(const char *text, const char *expected)
{
	char out[256];

	assert_string_equal(escape_text(text, out, sizeof(out)), expected);
}

static void plain_text_stays_as_it_is(void **state)
{
	(void)state;
	assert_escaped("", "");
	assert_escaped("bwa mem -t 4", "bwa mem -t 4");
	assert_escaped("Messung_größer_日本", "Messung_größer_日本");
}

static void control_characters_never_come_through(void **state)
{
	(void)state;
	assert_escaped("a\033[2Jb", "a\\x1b[2Jb");
	assert_escaped("a\nb\tc\rd\x7f", "a\\x0ab\\x09c\\x0dd\\x7f");
	assert_escaped("\xc2\x9b" "31m", "\\xc2\\x9b31m"); /* CSI as one C1 character */
}

static void text_cannot_fake_an_escape(void **state)
{
	(void)state;
	assert_escaped("\\x1b", "\\x5cx1b");
}

static void writing_direction_cannot_be_turned(void **state)
{
	(void)state;
	assert_escaped("a\xe2\x80\xae" "b", "a\\xe2\\x80\\xaeb");
	assert_escaped("a\xe2\x81\xa6" "b", "a\\xe2\\x81\\xa6b");
	assert_escaped("a\xe2\x80\xa8" "b", "a\\xe2\\x80\\xa8b");
}

static void bytes_that_are_no_utf8_are_shown_as_bytes(void **state)
{
	(void)state;
	assert_escaped("a\xff" "b", "a\\xffb");
	assert_escaped("\xc0\x80", "\\xc0\\x80");         /* overlong NUL */
	assert_escaped("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* surrogate */
	assert_escaped("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* beyond Unicode */
	assert_escaped("\xe2\x82", "\\xe2\\x82");         /* cut short */
}

static void too_little_room_cuts_between_characters(void **state)
{
	char out[6];

	(void)state;
	assert_string_equal(escape_text("ab\033cd", out, sizeof(out)), "ab...");
	assert_string_equal(escape_text("abcdefgh", out, sizeof(out)), "ab...");
	assert_string_equal(escape_text("abcde", out, sizeof(out)), "abcde");
	assert_string_equal(escape_text("abcö", out, sizeof(out)), "abcö");
	assert_string_equal(escape_text("abcdö", out, sizeof(out)), "ab...");
	assert_string_equal(escape_text("öööö", out, sizeof(out)), "ö...");
	assert_string_equal(escape_text("\033\033", out, sizeof(out)), "...");
	assert_string_equal(escape_text("abcdefgh", out, 3), "ab");
	assert_string_equal(escape_text("öö", out, 2), "");
}

static void what_cannot_be_seen_is_shown(void **state)
{
	(void)state;
	assert_escaped("a\u200bb\u2060c\ufeff", "a\\xe2\\x80\\x8bb\\xe2\\x81\\xa0c\\xef\\xbb\\xbf");
	assert_escaped("a\u00ad", "a\\xc2\\xad");
	assert_escaped("\U000e0041", "\\xf3\\xa0\\x81\\x81"); /* a tag */
	assert_escaped("e\u0301\u05d0\u0639", "e\u0301\u05d0\u0639"); /* accents and letters from right to left are text */
}

static void assert_json(const char *json, const char *expected)
{
	size_t length;
	char *text = escape_json(json, &length);

	assert_string_equal(text, expected);
	assert_int_equal(length, strlen(expected));
	free(text);
}

static void json_stays_the_same_text_and_steers_no_terminal(void **state)
{
	(void)state;
	assert_json("{\n\t\"größe\": [1, \"日本\"]\n}\n", "{\n\t\"größe\": [1, \"日本\"]\n}\n");
	assert_json("[\"\xc2\x9b" "31m\u202e\x7f\"]", "[\"\\u009b31m\\u202e\\u007f\"]");
	assert_json("[\"a\nb\tc\x1b[2J\"]\n", "[\"a\\u000ab\\u0009c\\u001b[2J\"]\n");
	assert_json("[\"\U000e0041\xff\"]", "[\"\\udb40\\udc41\\ufffd\"]");
	assert_json("[\"a\\\"\x1b\", \"b\\\\\"]\x1b\n", "[\"a\\\"\\u001b\", \"b\\\\\"] \n");
	assert_json("\r\x1b[1]", "  [1]");
	assert_json("", "");
	assert_json("\"cut \\", "\"cut \\");
}

static void a_text_is_cut_between_characters(void **state)
{
	(void)state;
	assert_int_equal(utf8_whole("größe", 2), 2);
	assert_int_equal(utf8_whole("größe", 3), 2);
	assert_int_equal(utf8_whole("größe", 4), 4);
	assert_int_equal(utf8_whole("日本", 4), 3);
	assert_int_equal(utf8_whole("日本", 5), 3);
	assert_int_equal(utf8_whole("日本", 6), 6);
	assert_int_equal(utf8_whole("\U0001f600", 3), 0);
	assert_int_equal(utf8_whole("", 0), 0);
	assert_int_equal(utf8_whole("a\x80\x80\x80\x80", 5), 5); /* no UTF-8: unchanged */
	assert_int_equal(utf8_whole("a\xff", 2), 2);
}

static void a_name_that_is_cut_says_so(void **state)
{
	char text[16] = "a: ";

	(void)state;
	utf8_append_cut(text, sizeof(text), 6, "größe");
	assert_string_equal(text, "a: größ...");
	text[3] = '\0';
	utf8_append_cut(text, sizeof(text), 7, "größe");
	assert_string_equal(text, "a: größe");
	text[3] = '\0';
	utf8_append_cut(text, sizeof(text), 3, "größe");
	assert_string_equal(text, "a: gr...");
}

static void every_byte_pair_is_safe(void **state)
{
	char out[64];

	(void)state;
	for (unsigned int pair = 0x101; pair < 0x10000; pair++) {
		const char text[] = { (char)(pair >> 8), (char)(pair & 0xff), 'x', '\0' };

		for (const char *c = escape_text(text, out, sizeof(out)); *c; c++)
			assert_false((unsigned char)*c < 0x20 || *c == 0x7f);
	}
}

static void cutting_counts_columns_and_keeps_escapes_whole(void **state)
{
	char text[64];

	(void)state;
	strcpy(text, "größe");
	assert_int_equal(escape_width(text), 5);
	escape_cut(text, 5);
	assert_string_equal(text, "größe");
	escape_cut(text, 4);
	assert_string_equal(text, "g...");
	strcpy(text, "ab\\x1bcdef");
	escape_cut(text, 8);
	assert_string_equal(text, "ab...");
}

#define ESCAPES (1 << 20)
#define CUT_CPU_S 5 /* hundredths of a second, or half a minute if each escape looks at everything behind it */

static void a_text_of_megabytes_is_measured_and_cut_at_once(void **state)
{
	char *text = malloc(4 * ESCAPES + 1);
	clock_t began = clock();

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < ESCAPES; i++)
		strcpy(text + 4 * i, "\\x1b");
	assert_int_equal(escape_width(text), 4 * ESCAPES);
	escape_cut(text, 24);
	assert_string_equal(text, "\\x1b\\x1b\\x1b\\x1b\\x1b...");
	assert_true((clock() - began) / CLOCKS_PER_SEC < CUT_CPU_S);
	free(text);
}

static void assert_finished(const char *text, const char *expected)
{
	char copy[32];

	strcpy(copy, text);
	assert_string_equal(utf8_finish(copy), expected);
}

static void what_was_cut_ends_with_a_whole_character(void **state)
{
	(void)state;
	assert_finished("", "");
	assert_finished("ab", "ab");
	assert_finished("a\xc3\xb6", "a\xc3\xb6");
	assert_finished("a\xc3", "a");
	assert_finished("a\xe6\x97\xa5", "a\xe6\x97\xa5");
	assert_finished("a\xe6\x97", "a");
	assert_finished("a\xe6", "a");
	assert_finished("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80");
	assert_finished("\xf0\x9f\x98", "");
	assert_finished("\xf0", "");
}

static void an_error_that_is_too_long_is_cut_between_characters(void **state)
{
	char name[2 * 400 + 1] = "";
	struct error err;

	(void)state;
	for (int i = 0; i < 400; i++)
		strcat(name, "\xc3\xb6");
	error_set(&err, "x%s", name);
	assert_int_equal(strlen(err.text) % 2, 1);
	error_set(&err, "%s", name);
	assert_int_equal(strlen(err.text) % 2, 0);
}

static void wide_characters_take_two_columns_and_accents_none(void **state)
{
	char text[64];

	(void)state;
	assert_int_equal(escape_width("日本"), 4);
	assert_int_equal(escape_width("e\u0301a"), 2);
	assert_int_equal(escape_width("\U0001f600"), 2);
	strcpy(text, "日本語日本");
	escape_cut(text, 10);
	assert_string_equal(text, "日本語日本");
	escape_cut(text, 8);
	assert_string_equal(text, "日本...");
	strcpy(text, "e\u0301e\u0301e\u0301e\u0301");
	escape_cut(text, 4);
	assert_string_equal(text, "e\u0301e\u0301e\u0301e\u0301");
	strcat(text, "e");
	escape_cut(text, 4);
	assert_string_equal(text, "e\u0301...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_stays_as_it_is),
		cmocka_unit_test(control_characters_never_come_through),
		cmocka_unit_test(text_cannot_fake_an_escape),
		cmocka_unit_test(writing_direction_cannot_be_turned),
		cmocka_unit_test(bytes_that_are_no_utf8_are_shown_as_bytes),
		cmocka_unit_test(too_little_room_cuts_between_characters),
		cmocka_unit_test(what_cannot_be_seen_is_shown),
		cmocka_unit_test(json_stays_the_same_text_and_steers_no_terminal),
		cmocka_unit_test(a_text_is_cut_between_characters),
		cmocka_unit_test(a_name_that_is_cut_says_so),
		cmocka_unit_test(wide_characters_take_two_columns_and_accents_none),
		cmocka_unit_test(every_byte_pair_is_safe),
		cmocka_unit_test(cutting_counts_columns_and_keeps_escapes_whole),
		cmocka_unit_test(a_text_of_megabytes_is_measured_and_cut_at_once),
		cmocka_unit_test(what_was_cut_ends_with_a_whole_character),
		cmocka_unit_test(an_error_that_is_too_long_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
