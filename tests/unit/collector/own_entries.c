/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that a job's entries are deleted by their keys only if all keys are known. Otherwise they are searched for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "collector/kernel/own_entries.h"

static struct own_entries own;

static int tear_down(void **state)
{
	(void)state;
	own_entries_free(&own);
	return 0;
}

static void each_entry_of_a_job_is_known_once(void **state)
{
	struct own_job *job;

	(void)state;
	own_entries_note(&own, 7, 2, 70, false);
	own_entries_note(&own, 7, 2, 7, false);
	own_entries_are_first(&own, 7);
	own_entries_note(&own, 8, 2, 8, false);
	own_entries_are_first(&own, 8);
	own_entries_note(&own, 7, 1, 70, false);
	own_entries_note(&own, 7, 1, 70, false);
	job = own_entries_take(&own, 7);
	assert_non_null(job);
	assert_int_equal(job->count, 3);
	assert_int_equal(job->found, 0);
	assert_int_equal(job->entries[0].map, 2);
	assert_int_equal(job->entries[0].key, 70);
	assert_int_equal(job->entries[2].map, 1);
	free(job);
	assert_null(own_entries_take(&own, 7));
	job = own_entries_take(&own, 8);
	assert_non_null(job);
	free(job);
}

/* The kernel programs make a step's entries before any message about it comes. */
static void what_was_there_already_is_counted_once(void **state)
{
	struct own_job *job;

	(void)state;
	own_entries_note(&own, 7, 2, 7, false);
	own_entries_are_first(&own, 7);
	own_entries_note(&own, 7, 2, 71, true);
	own_entries_note(&own, 7, 2, 71, true);
	own_entries_note(&own, 7, 2, 72, false);
	own_entries_note(&own, 7, 2, 72, true); /* a step's second message finds what the first one made */
	job = own_entries_take(&own, 7);
	assert_non_null(job);
	assert_int_equal(job->count, 3);
	assert_int_equal(job->found, 1);
	free(job);
}

static void a_map_that_was_read_is_known_of_a_job_that_is_known(void **state)
{
	struct own_job *job;

	(void)state;
	own_entries_are_read(&own, 7, 3);
	assert_null(own.first);
	own_entries_note(&own, 7, 2, 7, false);
	own_entries_are_first(&own, 7);
	own_entries_note(&own, 7, 3, 1, false);
	own_entries_are_read(&own, 7, 3);
	job = own_entries_take(&own, 7);
	assert_non_null(job);
	assert_int_equal(job->read, 1 << 3);
	free(job);
}

/* An earlier stintd, or another version's, has made some. */
static void of_a_job_that_was_there_before_they_are_not_known(void **state)
{
	(void)state;
	own_entries_note(&own, 7, 1, 70, false);
	assert_null(own_entries_take(&own, 7));
	assert_null(own_entries_take(&own, 9));
	/* Another job of the same number. */
	own_entries_note(&own, 7, 1, 71, false);
	own_entries_are_first(&own, 7);
	free(own_entries_take(&own, 7));
	assert_null(own.first);
}

static void as_many_as_may_be_are_known_and_one_more_is_not(void **state)
{
	struct own_job *job;

	(void)state;
	for (uint64_t job_key = 1; job_key <= 2; job_key++) {
		own_entries_note(&own, job_key, 0, 1, false);
		own_entries_are_first(&own, job_key);
		for (uint64_t key = 2; key <= OWN_ENTRIES_MAX; key++)
			own_entries_note(&own, job_key, 0, key, false);
	}
	own_entries_note(&own, 1, 0, OWN_ENTRIES_MAX, false);
	own_entries_note(&own, 2, 0, OWN_ENTRIES_MAX + 1, false);
	job = own_entries_take(&own, 1);
	assert_non_null(job);
	assert_int_equal(job->count, OWN_ENTRIES_MAX);
	free(job);
	assert_null(own_entries_take(&own, 2));
	assert_null(own.first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(each_entry_of_a_job_is_known_once, tear_down),
		cmocka_unit_test_teardown(what_was_there_already_is_counted_once, tear_down),
		cmocka_unit_test_teardown(a_map_that_was_read_is_known_of_a_job_that_is_known, tear_down),
		cmocka_unit_test_teardown(of_a_job_that_was_there_before_they_are_not_known, tear_down),
		cmocka_unit_test_teardown(as_many_as_may_be_are_known_and_one_more_is_not, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
