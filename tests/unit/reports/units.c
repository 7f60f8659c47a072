/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that durations, sizes and shares have one form everywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/json/units.h"

static void durations_are_as_slurm_writes_them(void **state)
{
	char text[DURATION_TEXT];

	(void)state;
	assert_string_equal(duration_text(0, text), "00:00:00");
	assert_string_equal(duration_text(130.4, text), "00:02:10");
	assert_string_equal(duration_text(86399.6, text), "1-00:00:00");
	assert_string_equal(duration_text(3 * 86400 + 3661, text), "3-01:01:01");
	assert_string_equal(duration_text(-1, text), "00:00:00");
	assert_string_equal(duration_text(0.0 / 0.0, text), "00:00:00");
}

static void short_durations_keep_their_decimals(void **state)
{
	char text[DURATION_TEXT];

	(void)state;
	assert_string_equal(short_duration_text(0.0014, text), "0.001 s");
	assert_string_equal(short_duration_text(0.9996, text), "1.00 s");
	assert_string_equal(short_duration_text(9.996, text), "10.0 s");
	assert_string_equal(short_duration_text(59.96, text), "00:01:00");
}

static void durations_in_sentences_have_words(void **state)
{
	char text[DURATION_TEXT];

	(void)state;
	assert_string_equal(worded_duration_text(0.25, text), "0.250 s");
	assert_string_equal(worded_duration_text(9.996, text), "10 s");
	assert_string_equal(worded_duration_text(7, text), "7 s");
	assert_string_equal(worded_duration_text(41.2, text), "41 s");
	assert_string_equal(worded_duration_text(59.6, text), "1 min");
	assert_string_equal(worded_duration_text(65, text), "1 min 5 s");
	assert_string_equal(worded_duration_text(7200, text), "2 h");
	assert_string_equal(worded_duration_text(7500, text), "2 h 5 min");
	assert_string_equal(worded_duration_text(3 * 86400 + 7300, text), "3 d 2 h");
	worded_duration_text(1e300, text);
}

static void shares_that_are_not_all_are_not_said_to_be(void **state)
{
	static const struct {
		double share;
		const char *text;
	} shares[] = {
		{ 0, "0 %" },		{ 1e-7, "0 %" },	 { 1e-5, "less than 0.1 %" },	    { 0.0004999, "less than 0.1 %" },
		{ 0.000501, "0.1 %" },	{ 0.00999, "1.0 %" },	 { 0.01, "1 %" },		    { 0.495, "50 %" },
		{ 0.99, "99 %" },	{ 0.99001, "99.0 %" },	 { 0.996, "99.6 %" },		    { 0.99949, "99.9 %" },
		{ 0.9996, "more than 99.9 %" }, { 0.99999, "more than 99.9 %" }, { 1 - 1e-7, "100 %" }, { 1, "100 %" },
		{ 1.5, "150 %" },
	};
	char text[PERCENT_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		assert_string_equal(percent_text(shares[i].share, text), shares[i].text);
}

static void more_than_the_cores_is_told_of_the_cpus(void **state)
{
	(void)state;
	assert_false(busy_beyond_cores(4.049, 4, 8));
	assert_true(busy_beyond_cores(4.051, 4, 8));
	assert_false(busy_beyond_cores(4.051, 4, 4));
	assert_false(busy_beyond_cores(7.9, 0.0 / 0.0, 8));
}

static void signals_have_names_where_there_are_some(void **state)
{
	char text[SIGNAL_TEXT];

	(void)state;
	assert_string_equal(signal_text(9, text), "signal 9 SIGKILL");
	assert_string_equal(signal_text(64, text), "signal 64");
	assert_string_equal(signal_text(INT64_MAX, text), "signal 9223372036854775807");
}

static void sizes_are_binary(void **state)
{
	char text[SIZE_TEXT];

	(void)state;
	assert_string_equal(size_text(0, text), "0 B");
	assert_string_equal(size_text(1023, text), "1023 B");
	assert_string_equal(size_text(1024, text), "1.0 KiB");
	assert_string_equal(size_text(5.58 * 1024 * 1024 * 1024, text), "5.6 GiB");
	assert_string_equal(size_text(1024.0 * 1024 * 1024 - 1, text), "1.0 GiB");
	assert_string_equal(short_size_text(0, text), "0");
	assert_string_equal(short_size_text(17.0 * 1024, text), "17K");
	assert_string_equal(short_size_text(5.58 * 1024 * 1024 * 1024, text), "5.6G");
	assert_string_equal(short_size_text(1024.0 * 1024 - 1, text), "1.0M");
}

static void nonsense_numbers_stay_in_bounds(void **state)
{
	char text[SIZE_TEXT];

	(void)state;
	duration_text(1e300, text);
	short_duration_text(1e300, text);
	size_text(1e300, text);
	short_size_text(1e300, text);
	size_text(-1.0 / 0.0, text);
	assert_string_equal(text, "0 B");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_are_as_slurm_writes_them),
		cmocka_unit_test(short_durations_keep_their_decimals),
		cmocka_unit_test(durations_in_sentences_have_words),
		cmocka_unit_test(shares_that_are_not_all_are_not_said_to_be),
		cmocka_unit_test(more_than_the_cores_is_told_of_the_cpus),
		cmocka_unit_test(signals_have_names_where_there_are_some), cmocka_unit_test(sizes_are_binary),
		cmocka_unit_test(nonsense_numbers_stay_in_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
