/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that the kernel programs' scans of all tasks are few, however often jobs cause them, and that none is
 * forgotten.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "collector/follow/follow.h"
#include "collector/follow/scan_threads.h"
#include "collector/follow/take_event.h"
#include "tests/unit/set_clock.h"

#define MS 1000000ull
#define PAUSE_MS 50

static struct collector c;
static unsigned int scans;
static uint64_t scan_ms;

/* Replaces the kernel programs' own. */
int programs__scan(struct programs *p, struct error *err)
{
	(void)p;
	(void)err;
	scans++;
	set_clock_add(scan_ms * MS);
	return 0;
}

static void ask(void)
{
	const struct event event = { .kind = EVENT_SCAN, .job = 1 };

	take_event(&event, &c);
}

static int set_up(void **state)
{
	(void)state;
	memset(&c, 0, sizeof(c));
	scans = 0;
	scan_ms = 1;
	return 0;
}

static void one_that_is_asked_for_is_made_at_once(void **state)
{
	(void)state;
	assert_false(follow_tick(&c, false));
	assert_int_equal(scans, 0);
	ask();
	assert_false(follow_tick(&c, false));
	assert_int_equal(scans, 1);
	assert_false(follow_tick(&c, false));
	assert_int_equal(scans, 1);
}

static void one_that_is_asked_for_soon_after_is_made_later_and_not_forgotten(void **state)
{
	uint64_t asked;

	(void)state;
	ask();
	follow_tick(&c, false);
	for (int i = 0; i < 1000; i++)
		ask();
	asked = set_clock_ns;
	assert_true(follow_tick(&c, false)); /* stintd comes back soon */
	assert_int_equal(scans, 1);
	while (follow_tick(&c, false))
		set_clock_add(1 * MS);
	assert_int_equal(scans, 2);
	/* the pause, nine times the first scan, and the second scan */
	assert_int_equal(set_clock_ns - asked, (PAUSE_MS + 9 * scan_ms + scan_ms) * MS);
}

static void one_that_only_makes_sure_comes_within_a_second_or_with_another(void **state)
{
	uint64_t asked = set_clock_ns;

	(void)state;
	scan_make_sure(&c);
	assert_false(follow_tick(&c, false)); /* nobody comes back soon for the scan */
	assert_int_equal(scans, 0);
	while (!scans && set_clock_ns - asked < 10000 * MS) {
		set_clock_add(5 * MS);
		scan_make_sure(&c);
		follow_tick(&c, false);
	}
	assert_int_equal(set_clock_ns - asked, (1000 + scan_ms) * MS);
	scans = 0;
	c.scan_sure_ns = 0;
	c.scan_after_ns = 0;
	scan_make_sure(&c);
	ask();
	follow_tick(&c, false);
	assert_int_equal(scans, 1);
	assert_int_equal(c.scan_sure_ns, 0);
}

static void a_storm_of_them_costs_a_tenth_of_the_time(void **state)
{
	uint64_t end = set_clock_ns + 1000 * MS;
	unsigned int asked = 0;

	(void)state;
	scan_ms = 20;
	for (; set_clock_ns < end; asked++) {
		ask();
		follow_tick(&c, false);
		set_clock_add(MS / 10);
	}
	assert_true(asked > 1000);
	/* 20 ms of scanning, then 50 ms and nine times 20 ms without: four in a second */
	assert_int_equal(scans, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(one_that_is_asked_for_is_made_at_once, set_up),
		cmocka_unit_test_setup(one_that_is_asked_for_soon_after_is_made_later_and_not_forgotten, set_up),
		cmocka_unit_test_setup(one_that_only_makes_sure_comes_within_a_second_or_with_another, set_up),
		cmocka_unit_test_setup(a_storm_of_them_costs_a_tenth_of_the_time, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
