/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times, durations and sizes read the same wherever they stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "reports/units.h"

#define MOMENT INT64_C(1795214113123456789) /* 2026-11-20 22:35:13.123456789 UTC */

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static void times_say_their_zone(void **state)
{
	char text[TIME_TEXT];

	(void)state;
	set_zone("UTC0");
	assert_string_equal(time_text(MOMENT, text), "2026-11-20T22:35:13.123+00:00");
	set_zone("IST-5:30");
	assert_string_equal(time_text(MOMENT, text), "2026-11-21T04:05:13.123+05:30");
	set_zone("NST3:30");
	assert_string_equal(time_text(MOMENT, text), "2026-11-20T19:05:13.123-03:30");
}

static void times_are_read_as_they_are_written(void **state)
{
	static const char *const none[] = { "", "2026-11-20", "2026-11-20T22:35:13", "2026-11-20 22:35:13Z",
					    "2026-11-20T22:35:13.123+0000", "x026-11-20T22:35:13Z",
					    "2026-11-20T22:35:13.5Zjunk", "2026-11-20T22:35:13+00:00 ",
					    "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z" };
	char text[TIME_TEXT];
	int64_t us = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(time_parse(none[i], &us));
	assert_false(time_parse(NULL, &us));
	assert_int_equal(us, 7);
	set_zone("NST3:30");
	assert_true(time_parse(time_text(MOMENT, text), &us));
	assert_int_equal(us, MOMENT / 1000000 * 1000);
	assert_true(time_parse("2026-11-20T22:35:13.1234567Z", &us));
	assert_int_equal(us, INT64_C(1795214113123456));
	assert_true(time_parse("1969-12-31T23:59:59.5+00:00", &us));
	assert_int_equal(us, -500000);
}

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
	char text[SIZE_TEXT], moment[TIME_TEXT];

	(void)state;
	duration_text(1e300, text);
	short_duration_text(1e300, text);
	size_text(1e300, text);
	short_size_text(1e300, text);
	size_text(-1.0 / 0.0, text);
	assert_string_equal(text, "0 B");
	time_text(INT64_MAX, moment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_say_their_zone),
		cmocka_unit_test(times_are_read_as_they_are_written),
		cmocka_unit_test(durations_are_as_slurm_writes_them),
		cmocka_unit_test(short_durations_keep_their_decimals),
		cmocka_unit_test(sizes_are_binary),
		cmocka_unit_test(nonsense_numbers_stay_in_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
