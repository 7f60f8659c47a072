/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the tests of chance give the results of published examples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reports/compare/compare_stats.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void assert_near(double value, double expected, double within)
{
	if (!(fabs(value - expected) <= within))
		fail_msg("%.7f is not %.7f", value, expected);
}

/* The example of NAG's g08ahf: U = 86, normal statistic -2.8039, lower tail 0.0025. */
static void mann_whitney_is_nags(void **state)
{
	static const double a[] = { 13, 6, 12, 7, 12, 7, 10, 7, 10, 7, 16, 7, 10, 8, 9, 8 };
	static const double b[] = { 17, 6,  10, 8,  15, 8,  15, 10, 15, 10, 14, 10,
				    14, 11, 14, 11, 13, 12, 13, 12, 13, 12, 12 };

	(void)state;
	assert_near(stats_mann_whitney(a, COUNT(a), b, COUNT(b)), erfc(2.8039 / sqrt(2)), 1e-5);
	assert_near(stats_mann_whitney(b, COUNT(b), a, COUNT(a)), erfc(2.8039 / sqrt(2)), 1e-5);
}

/*
 * Hollander and Wolfe's depression data, as in R's help of wilcox.test: V = 40 of nine pairs, exactly 0.0391 two-sided.
 */
static void signed_ranks_are_rs(void **state)
{
	static const double x[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
	static const double y[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 };
	double differences[COUNT(x) + 2] = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(x); i++)
		differences[i] = y[i] - x[i];
	/* mean 9 x 10 / 4, variance 9 x 10 x 19 / 24; the two zeros at the end do not count */
	assert_near(stats_signed_ranks(differences, COUNT(differences)),
		    erfc((40 - 22.5 - 0.5) / sqrt(71.25) / sqrt(2)), 1e-9);
	assert_near(stats_signed_ranks(differences, COUNT(x)), 0.0391, 0.006);
}

static void what_is_equal_is_chance(void **state)
{
	static const double same[] = { 3, 3, 3, 3, 3, 3, 3, 3, 3 }, zeros[9] = { 0 };

	(void)state;
	assert_near(stats_mann_whitney(same, 9, same, 9), 1, 0);
	assert_near(stats_mann_whitney(same, 9, same, 0), 1, 0);
	assert_near(stats_signed_ranks(zeros, 9), 1, 0);
	assert_near(stats_signed_ranks(zeros, 0), 1, 0);
}

/* With one task fewer, no test can be as sure as the rule requires. */
static void as_many_tasks_as_the_rule_asks_for_can_tell(void **state)
{
	static const double low[] = { 1, 2, 3, 4, 5, 6 }, high[] = { 11, 12, 13, 14, 15, 16 };
	static const double up[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

	(void)state;
	assert_true(stats_mann_whitney(low, 6, high, 6) < 0.01);
	assert_false(stats_mann_whitney(low, 5, high, 5) < 0.01);
	assert_true(stats_signed_ranks(up, 9) < 0.01);
	assert_false(stats_signed_ranks(up, 8) < 0.01);
}

static void quantiles_lie_between_values(void **state)
{
	double values[] = { 9, 1, 5, 3 };

	(void)state;
	assert_near(stats_quantile(values, 4, 0.5), 4, 0);
	assert_near(stats_quantile(values, 4, 0.25), 2.5, 1e-12);
	assert_near(stats_quantile(values, 4, 0), 1, 0);
	assert_near(stats_quantile(values, 4, 1), 9, 0);
	assert_near(stats_quantile(values, 1, 0.75), 1, 0);
	assert_true(isnan(stats_quantile(values, 0, 0.5)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mann_whitney_is_nags),
		cmocka_unit_test(signed_ranks_are_rs),
		cmocka_unit_test(what_is_equal_is_chance),
		cmocka_unit_test(as_many_tasks_as_the_rule_asks_for_can_tell),
		cmocka_unit_test(quantiles_lie_between_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
