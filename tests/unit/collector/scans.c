/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs can have the kernel programs ask for looks at all tasks as often as they like: there are few, and none is left
 * out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <time.h>

#include "collector/follow_internal.h"
#include "common/clock.h"
#include "tests/unit/within.h"

#define MS 1000000ull
#define PAUSE_MS 50

static struct collector c;
static unsigned int scans;
static uint64_t scan_ms;

static void wait_ms(uint64_t ms)
{
	const struct timespec pause = { .tv_nsec = (long)(ms * MS) };

	nanosleep(&pause, NULL);
}

/* Replaces the kernel programs' own. */
int programs__scan(struct programs *p, struct error *err)
{
	(void)p;
	(void)err;
	scans++;
	wait_ms(scan_ms);
	return 0;
}

static void ask(void)
{
	const struct event event = { .kind = EVENT_SCAN, .job = 1 };

	follow_event(&event, &c);
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
	asked = clock_ns(CLOCK_MONOTONIC);
	assert_true(follow_tick(&c, false)); /* stintd comes back soon */
	assert_int_equal(scans, 1);
	while (follow_tick(&c, false))
		wait_ms(1);
	assert_int_equal(scans, 2);
	assert_true(clock_ns(CLOCK_MONOTONIC) - asked >= (PAUSE_MS - 1) * MS);
}

static void one_that_only_makes_sure_comes_within_a_second_or_with_another(void **state)
{
	uint64_t asked = clock_ns(CLOCK_MONOTONIC);

	(void)state;
	follow_make_sure(&c);
	assert_false(follow_tick(&c, false)); /* nobody comes back soon for it */
	assert_int_equal(scans, 0);
	while (!scans && clock_ns(CLOCK_MONOTONIC) - asked < 10000 * MS) {
		follow_make_sure(&c); /* the next ones are the same */
		follow_tick(&c, false);
		wait_ms(5);
	}
	assert_within(clock_ns(CLOCK_MONOTONIC) - asked, 1000 * MS, 9000 * MS);
	scans = 0;
	c.scan_sure_ns = 0;
	c.scan_after_ns = 0;
	follow_make_sure(&c);
	ask();
	follow_tick(&c, false);
	assert_int_equal(scans, 1);
	assert_int_equal(c.scan_sure_ns, 0);
}

static void a_storm_of_them_costs_a_tenth_of_the_time(void **state)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 1000 * MS;
	unsigned int asked = 0;

	(void)state;
	scan_ms = 20;
	for (; clock_ns(CLOCK_MONOTONIC) < end; asked++) {
		ask();
		follow_tick(&c, false);
	}
	assert_true(asked > 1000);
	/* 20 ms of looking, 50 and nine times as long of not: four fit in a second, and one begins it */
	assert_within(scans, 1, 5);
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
