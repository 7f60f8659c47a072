/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a job that waits too often is no longer followed, and that other jobs are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/types.h>

#include "bpf/abi.h"
#include "collector/job/wait_rate.h"

#define MOST 200000
#define SECOND 1000000000ull

static uint64_t now = 7 * SECOND, waits = 12345;

static bool second_of(struct wait_rate *rate, uint64_t more)
{
	now += SECOND;
	waits += more;
	return wait_rate_note(rate, waits, now, MOST);
}

static void at_the_limit_a_job_is_followed_for_ever(void **state)
{
	struct wait_rate rate = {};

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_false(second_of(&rate, MOST));
}

static void above_it_for_five_looks_it_is_left(void **state)
{
	struct wait_rate rate = {};

	(void)state;
	assert_false(second_of(&rate, MOST + 1));
	for (int i = 1; i < WAIT_RATE_LOOKS; i++)
		assert_false(second_of(&rate, MOST + 1));
	assert_true(second_of(&rate, MOST + 1));
	assert_int_equal(rate.per_s, MOST + 1);
}

static void a_pause_begins_the_count_anew(void **state)
{
	struct wait_rate rate = {};

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_false(second_of(&rate, i % WAIT_RATE_LOOKS ? MOST + 1 : MOST));
}

static void far_above_it_one_look_is_enough(void **state)
{
	struct wait_rate rate = {};

	(void)state;
	second_of(&rate, 0);
	assert_false(second_of(&rate, MOST * WAIT_RATE_FAR));
	assert_true(second_of(&rate, MOST * WAIT_RATE_FAR + 1));
}

/* A rush between two looks has an effect if it lasts. It is none of the five looks. */
static void a_rush_between_two_looks_is_enough(void **state)
{
	uint64_t part = WAIT_RATE_RUSH_NS, far = (uint64_t)MOST * WAIT_RATE_FAR / 10 + 1; /* in a tenth of a second */
	struct wait_rate rate = {};

	(void)state;
	assert_false(wait_rate_note_rush(&rate, waits, now, MOST));
	assert_false(wait_rate_note_rush(&rate, waits += far, now += part - 1, MOST));
	assert_true(wait_rate_note_rush(&rate, waits, now += 1, MOST));
	assert_false(wait_rate_note_rush(&rate, waits += far - 1, now += part, MOST));
	for (int i = 0; i < WAIT_RATE_LOOKS; i++)
		assert_false(wait_rate_note_rush(&rate, waits += far / 2, now += part, MOST));
	assert_int_equal(rate.over, 0);
}

static void a_rush_is_reported_where_it_is_far_above_the_limit(void **state)
{
	(void)state;
	assert_int_equal(wait_rate_rush_ns(MOST), (uint64_t)PRESSURE_MARK * SECOND / MOST / WAIT_RATE_FAR);
	assert_int_equal(wait_rate_rush_ns(0), UINT32_MAX);
}

/* A job that was looked at less often, or is counted again, is not in a rush. */
static void a_rate_is_of_the_time_that_passed(void **state)
{
	struct wait_rate rate = {};

	(void)state;
	second_of(&rate, 0);
	now += 9 * SECOND;
	assert_false(second_of(&rate, 10ull * MOST));
	assert_int_equal(rate.per_s, MOST);
	waits = 5;
	assert_false(second_of(&rate, 0));
	assert_int_equal(rate.per_s, 0);
	assert_false(wait_rate_note(&rate, waits + 100ull * MOST, now, MOST));
}

static void a_cpu_where_a_thread_merely_passed_is_not_used(void **state)
{
	const uint64_t starting[] = { 300000000, WAIT_RATE_PASSED_NS - 1, WAIT_RATE_PASSED_NS, 0 };
	const uint64_t long_running[] = { 9000 * SECOND, 90 * SECOND, 90 * SECOND - 1 };

	(void)state;
	assert_int_equal(wait_rate_cpus(starting, 4), 2);
	assert_int_equal(wait_rate_cpus(long_running, 3), 2);
	assert_int_equal(wait_rate_cpus(starting + 3, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_the_limit_a_job_is_followed_for_ever),
		cmocka_unit_test(above_it_for_five_looks_it_is_left),
		cmocka_unit_test(a_pause_begins_the_count_anew),
		cmocka_unit_test(far_above_it_one_look_is_enough),
		cmocka_unit_test(a_rush_between_two_looks_is_enough),
		cmocka_unit_test(a_rush_is_reported_where_it_is_far_above_the_limit),
		cmocka_unit_test(a_rate_is_of_the_time_that_passed),
		cmocka_unit_test(a_cpu_where_a_thread_merely_passed_is_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
