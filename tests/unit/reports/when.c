/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a moment on a command line is read as people mean it, or refused: no date becomes another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "reports/cmd/when.h"

#define SECOND INT64_C(1000000)
#define DAY (86400 * SECOND)
#define NOW (INT64_C(1763640000) * SECOND) /* 2025-11-20 12:00 UTC */
#define TODAY (INT64_C(1763596800) * SECOND)

static int64_t moment(const char *text)
{
	int64_t unix_us = -7;

	if (!when_read(text, NOW, &unix_us))
		fail_msg("'%s' is refused", text);
	return unix_us;
}

static void refuse(const char *text)
{
	int64_t unix_us = -7;

	if (when_read(text, NOW, &unix_us))
		fail_msg("'%s' is taken for %lld", text, (long long)unix_us);
	assert_int_equal(unix_us, -7);
}

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static void spans_count_back_from_now(void **state)
{
	(void)state;
	assert_int_equal(moment("now"), NOW);
	assert_int_equal(moment("0s"), NOW);
	assert_int_equal(moment("90m"), NOW - 90 * 60 * SECOND);
	assert_int_equal(moment("2h"), NOW - 2 * 3600 * SECOND);
	assert_int_equal(moment("3d"), NOW - 3 * DAY);
	assert_int_equal(moment("1w"), NOW - 7 * DAY);
	assert_int_equal(moment("today"), TODAY);
	assert_int_equal(moment("yesterday"), TODAY - DAY);
}

static void dates_are_in_the_local_zone(void **state)
{
	(void)state;
	assert_int_equal(moment("2025-11-20"), TODAY);
	assert_int_equal(moment("2025-11-20T10:30"), TODAY + 630 * 60 * SECOND);
	assert_int_equal(moment("2025-11-20 10:30"), TODAY + 630 * 60 * SECOND);
	assert_int_equal(moment("2025-11-20T10:30:15"), TODAY + (630 * 60 + 15) * SECOND);
	assert_int_equal(moment("2025-11-20 10:30:15"), TODAY + (630 * 60 + 15) * SECOND);
	assert_int_equal(moment("2024-02-29"), INT64_C(1709164800) * SECOND);
	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	assert_int_equal(moment("2025-11-20"), TODAY - 3600 * SECOND);
	assert_int_equal(moment("2025-07-01T00:00"), INT64_C(1751320800) * SECOND);
	assert_int_equal(moment("2025-03-30T02:30") % DAY, 90 * 60 * SECOND); /* the clock was put forward: 03:30 */
	assert_int_equal(moment("yesterday"), TODAY - 3600 * SECOND - DAY);
	set_zone("UTC0");
}

static void a_moment_as_stint_prints_it_has_its_zone(void **state)
{
	(void)state;
	assert_int_equal(moment("2025-11-20T12:00:00.250+02:00"), NOW - 2 * 3600 * SECOND + 250000);
	assert_int_equal(moment("2025-11-20T12:00:00Z"), NOW);
}

static void what_is_no_moment_is_refused(void **state)
{
	static const char *const none[] = {
		"", " ", "soon", "-1h", "+1h", "1", "1y", "1h ", " 1h", "1h30m", "99999999999999999999d", "9000000w", "1e3h",
		"2026-02-31", "2025-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00", "2026-01-32", "26-01-01",
		"2026-1-1", "2026-01-01T", "2026-01-01T24:00", "2026-01-01T10:60", "2026-01-01T10:00:60", "2026-01-0110:30",
		"2026-01-01  10:30", " 2026-01-01", "2026- 1-01", "2026-01-01x", "2026-01-01T10", "1969-12-31", "0000-01-01",
		"9999-01-01", "-2026-01-01", "2026-02-31T00:00:00Z", "1960-01-01T00:00:00Z", "Today", "tomorrow",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		refuse(none[i]);
}

static void spans_have_a_unit_and_an_end(void **state)
{
	static const char *const none[] = { "", "0d", "30", "d", "3y", "-3d", "3d3", "10001w", "99999999999999999999s" };
	int64_t span_us = -7;

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (when_read_span(none[i], &span_us))
			fail_msg("'%s' is taken for %lld", none[i], (long long)span_us);
	assert_int_equal(span_us, -7);
	assert_true(when_read_span("12h", &span_us));
	assert_int_equal(span_us, 12 * 3600 * SECOND);
	assert_true(when_read_span("4w", &span_us));
	assert_int_equal(span_us, 28 * DAY);
	assert_true(when_read_span("10000w", &span_us));
	assert_int_equal(span_us, 70000 * DAY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_count_back_from_now),
		cmocka_unit_test(dates_are_in_the_local_zone),
		cmocka_unit_test(a_moment_as_stint_prints_it_has_its_zone),
		cmocka_unit_test(what_is_no_moment_is_refused),
		cmocka_unit_test(spans_have_a_unit_and_an_end),
	};

	set_zone("UTC0");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
