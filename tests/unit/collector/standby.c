/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a helper is started with the second record within ten seconds, and a minute after one that failed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/host/standby.h"

#define SECOND 1000000000ull
#define NOW (7 * SECOND) /* not long after the boot */

static void the_first_record_has_none(void **state)
{
	struct standby standby = {};

	(void)state;
	assert_false(standby_wanted(&standby, NOW));
}

static void the_second_record_within_ten_seconds_has_one(void **state)
{
	struct standby standby = {};

	(void)state;
	standby_wanted(&standby, NOW);
	assert_true(standby_wanted(&standby, NOW + 10 * SECOND - 1));
	assert_true(standby_wanted(&standby, NOW + 10 * SECOND - 1));
}

static void one_record_in_ten_seconds_has_none(void **state)
{
	struct standby standby = {};

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		assert_false(standby_wanted(&standby, NOW + i * 10 * SECOND));
}

/* However long ago the first record came, and however many came between. */
static void the_time_is_counted_from_the_record_just_before(void **state)
{
	struct standby standby = {};

	(void)state;
	standby_wanted(&standby, NOW);
	assert_true(standby_wanted(&standby, NOW + 9 * SECOND));
	assert_true(standby_wanted(&standby, NOW + 18 * SECOND));
	assert_false(standby_wanted(&standby, NOW + 28 * SECOND));
	assert_true(standby_wanted(&standby, NOW + 29 * SECOND));
}

static void one_that_failed_has_a_successor_after_a_minute_and_not_before(void **state)
{
	struct standby standby = {};

	(void)state;
	standby_wanted(&standby, NOW);
	assert_true(standby_wanted(&standby, NOW));
	standby_failed(&standby, NOW);
	for (uint64_t i = 0; i < 60; i++)
		assert_false(standby_wanted(&standby, NOW + i * SECOND));
	assert_false(standby_wanted(&standby, NOW + 60 * SECOND - 1));
	assert_true(standby_wanted(&standby, NOW + 60 * SECOND));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_record_has_none),
		cmocka_unit_test(the_second_record_within_ten_seconds_has_one),
		cmocka_unit_test(one_record_in_ten_seconds_has_none),
		cmocka_unit_test(the_time_is_counted_from_the_record_just_before),
		cmocka_unit_test(one_that_failed_has_a_successor_after_a_minute_and_not_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
