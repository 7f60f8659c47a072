/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that times have one form everywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "common/time_text.h"

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

static void a_moment_is_split_in_the_zone_that_it_has(void **state)
{
	static const char *const none[] = { "", "2026-11-20T22:35:13Z", "2026-11-20T22:35:13.1234+00:00",
					    "2026-11-20T22:35:13.123-03.30", "2026-11-20T22:3a:13.123+00:00" };
	struct time_parts parts;

	(void)state;
	set_zone("UTC0");
	assert_true(time_split("2026-11-20T19:05:13.123-03:30", &parts));
	assert_string_equal(parts.day, "2026-11-20");
	assert_string_equal(parts.clock, "19:05:13");
	assert_string_equal(parts.zone, "-03:30");
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(time_split(none[i], &parts));
	assert_false(time_split(NULL, &parts));
	assert_string_equal(parts.day, "2026-11-20");
}

static void a_moment_beyond_all_years_stays_in_bounds(void **state)
{
	char text[TIME_TEXT];

	(void)state;
	time_text(INT64_MAX, text);
	time_text(INT64_MIN, text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_say_their_zone),
		cmocka_unit_test(times_are_read_as_they_are_written),
		cmocka_unit_test(a_moment_is_split_in_the_zone_that_it_has),
		cmocka_unit_test(a_moment_beyond_all_years_stays_in_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
