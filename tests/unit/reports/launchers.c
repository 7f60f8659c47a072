/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests whose threads the list "where the threads' time went" leaves out, and whether that needs a note. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/rules/facts.h"
#include "reports/rules/launchers.h"
#include "tests/unit/reports/case.h"

/* 400.1 s of the job's threads are on a CPU or wait for one. 100 s of waits for children do not count. */
#define WITH(states) "{'tools': [{'name': 'srun', 'slurm': false, 'states': {" states "}}]}"

static void launchers_are_named(void **state)
{
	cleanup_report struct report *one = case_model(WITH("'event_s': 1"));
	cleanup_report struct report *two = case_model("{'tools': [{'name': 'srun', 'states': {}}, {'name': 'solve', 'states': {}},"
						      " {'name': 'prun'}, {'name': 'mpirun', 'states': {}}]}");
	cleanup_report struct report *none = case_model(NULL);
	char text[LAUNCHERS_TEXT];

	(void)state;
	assert_string_equal(launchers_note(one, text), "Without the threads of srun, which waits for tasks");
	assert_string_equal(launchers_note(two, text), "Without the threads of srun, mpirun, which wait for tasks");
	assert_null(launchers_note(none, text));
}

static void they_need_a_word_if_they_took_much_of_the_time(void **state)
{
	cleanup_report struct report *much = case_model(WITH("'event_s': 8.1")), *little = case_model(WITH("'event_s': 8.0"));
	cleanup_report struct report *children = case_model(WITH("'event_s': 8.0, 'child_s': 90, 'lifetime_s': 100"));
	cleanup_report struct report *none = case_model(NULL);

	(void)state;
	assert_true(launchers_matter(much));
	assert_false(launchers_matter(little));
	assert_false(launchers_matter(children));
	assert_false(launchers_matter(none));
}

static void the_jobs_waits_are_no_longer_than_those_of_the_other_threads(void **state)
{
#define WAITS "'states': {'sleep_s': 8.33, 'pipe_s': 0.5, 'some': {'sleep_s': 8.33, 'pipe_s': 0.25}, 'full': {'sleep_s': 6.86, 'pipe_s': null}}"
	cleanup_report struct report *with = case_model("{" WAITS ", 'tools': [{'name': 'srun', 'states': {'sleep_s': 7.33}}]}");
	cleanup_report struct report *without = case_model("{" WAITS ", 'tools': [{'name': 'solve', 'states': {'sleep_s': 7.33}}]}");
	struct report_job_states states, all;

	(void)state;
	assert_true(facts_states_of_work(with, &states));
	assert_true(facts_states_of_work(without, &all));
	assert_float_equal(report_s(states.sleep_s), 1, 1e-9);
	assert_float_equal(report_s(states.some.sleep_s), 1, 1e-9);
	assert_float_equal(report_s(states.full.sleep_s), 1, 1e-9);
	assert_float_equal(report_s(states.some.pipe_s), 0.25, 1e-9);
	assert_true(isnan(report_s(states.full.pipe_s)));
	assert_float_equal(report_s(all.some.sleep_s), 8.33, 1e-9);
	assert_float_equal(report_s(all.full.sleep_s), 6.86, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launchers_are_named),
		cmocka_unit_test(the_jobs_waits_are_no_longer_than_those_of_the_other_threads),
		cmocka_unit_test(they_need_a_word_if_they_took_much_of_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
