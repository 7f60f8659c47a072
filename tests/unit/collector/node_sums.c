/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the sums of all jobs of a node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/job/node_sums.h"

static void add(struct node_sums *sums, struct job_part *part, uint64_t cpu_ns, uint64_t processes)
{
	const __u64 use[ABI_USES_SENT] = { [USE_CPU] = cpu_ns };

	node_sums_add(sums, part, use, processes);
}

static void each_job_counts_once(void **state)
{
	struct job_part first = { .older = false }, second = first;
	struct node_sums sums = { .processes = 0 };

	(void)state;
	add(&sums, &first, 100, 2);
	add(&sums, &second, 1000, 1);
	add(&sums, &first, 150, 3);
	add(&sums, &first, 150, 3);
	assert_int_equal(sums.use[USE_CPU], 1150);
	assert_int_equal(sums.processes, 4);
}

static void a_sum_that_shrinks_adds_nothing_until_it_is_above_its_peak(void **state)
{
	struct job_part part = { .older = false };
	struct node_sums sums = { .processes = 0 };

	(void)state;
	add(&sums, &part, 100, 0);
	add(&sums, &part, 70, 0);
	assert_int_equal(sums.use[USE_CPU], 100);
	add(&sums, &part, 90, 0);
	assert_int_equal(sums.use[USE_CPU], 100);
	add(&sums, &part, 101, 0);
	assert_int_equal(sums.use[USE_CPU], 101);
}

static void a_negative_sum_is_none(void **state)
{
	struct job_part part = { .older = false }, older = { .older = true };
	struct node_sums sums = { .processes = 0 };

	(void)state;
	add(&sums, &part, (uint64_t)-5, 0);
	assert_int_equal(sums.use[USE_CPU], 0);
	add(&sums, &older, (uint64_t)-5, 0);
	add(&sums, &older, 30, 0);
	add(&sums, &part, 7, 0);
	assert_int_equal(sums.use[USE_CPU], 37);
}

static void of_a_job_from_before_a_restart_only_the_rest_counts(void **state)
{
	struct job_part part = { .older = true };
	struct node_sums sums = { .processes = 0 };

	(void)state;
	add(&sums, &part, 5000, 20);
	assert_int_equal(sums.use[USE_CPU], 0);
	assert_int_equal(sums.processes, 0);
	add(&sums, &part, 5600, 21);
	assert_int_equal(sums.use[USE_CPU], 600);
	assert_int_equal(sums.processes, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_job_counts_once),
		cmocka_unit_test(a_sum_that_shrinks_adds_nothing_until_it_is_above_its_peak),
		cmocka_unit_test(a_negative_sum_is_none),
		cmocka_unit_test(of_a_job_from_before_a_restart_only_the_rest_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
