/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which attempt of a requeued job a record is of, and what Slurm's answer says of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/builder/report_job.h"
#include "reports/json/field.h"
#include "reports/records/record.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/fixture.h"

static void an_earlier_attempt_does_not_take_the_laters_times(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_count(slurm, "restarts", 1);
	put_text(slurm, "state", "RUNNING");
	put_count(slurm, "start_unix_s", NOW_NS / NS_PER_S - 10);
	report = build(&record, 1, slurm);
	assert_text(report, "job.state", "REQUEUED");
	assert_count(report, "job.attempt", 1);
	assert_gap(report, "job.start");
	assert_text(report, "job.name", "align");
}

/* Makes the record that the epilog of attempt @attempt - 1 leaves, which was requeued, or of @attempt itself. */
static uint32_t settled_with(struct json_object *slurm, int64_t attempt, bool saw_a_step, int64_t epilogs_restarts)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_answer struct slurm_answer *answer = answer_of(slurm);
	cleanup_record struct record *settled = NULL;
	struct record_identity identity;

	put_count(field_find(record, "identity"), "attempt", attempt);
	if (epilogs_restarts >= 0)
		put_count(record, "epilogs_restarts", epilogs_restarts);
	if (!saw_a_step)
		json_object_object_del(record, "opened_unix_ns");
	settled = record_of(record);
	assert_int_equal(record_identify(settled, "record", &identity, NULL), 0);
	job_settle_attempt(settled, slurm_answer_job(answer), &identity);
	assert_int_equal(settled->identity.attempt, identity.attempt);
	return identity.attempt;
}

static uint32_t settled(struct json_object *slurm, int64_t attempt, bool saw_a_step)
{
	return settled_with(slurm, attempt, saw_a_step, -1);
}

/* The node crashed during the attempt before, or none of its steps ran here. */
static void an_attempt_that_had_not_begun_is_not_the_one_that_the_epilog_was_of(void **state)
{
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	int64_t closed_s = 1763678231;

	(void)state;
	put_count(slurm, "restarts", 2);
	assert_int_equal(settled(slurm, 3, false), 3);
	put_count(slurm, "start_unix_s", closed_s + 1); /* the clocks of two nodes */
	assert_int_equal(settled(slurm, 3, false), 3);
	put_count(slurm, "start_unix_s", closed_s + 60);
	assert_int_equal(settled(slurm, 3, false), 2);
	assert_int_equal(settled(slurm, 3, true), 3);
	assert_int_equal(settled(slurm, 2, false), 2);
	assert_int_equal(settled(slurm, 1, false), 1);
	json_object_object_del(slurm, "start_unix_s");
	assert_int_equal(settled(slurm, 3, false), 3);
	put_text(slurm, "state", "PENDING");
	assert_int_equal(settled(slurm, 3, false), 2);
	assert_int_equal(settled(NULL, 3, false), 3);
}

static void steps_that_do_not_know_their_attempt_are_of_slurms(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json");
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	cleanup_json struct json_object *report = NULL;

	(void)state;
	put_count(slurm, "restarts", 1); /* but the steps began after Slurm's start */
	assert_int_equal(settled(slurm, 1, true), 2);
	assert_int_equal(settled(slurm, 2, true), 2);
	report = build(&record, 1, slurm);
	assert_text(report, "job.state", "COMPLETED");
	assert_count(report, "job.attempt", 2);
	put_count(slurm, "start_unix_s", INT64_C(4000000000)); /* Slurm's answer is of a later attempt */
	assert_int_equal(settled(slurm, 1, true), 1);
	json_object_object_del(slurm, "start_unix_s");
	assert_int_equal(settled(slurm, 1, true), 1);
}

/* Its steps, too, had the number of the first. */
static void an_attempt_that_was_not_the_first_and_is_requeued_has_its_own_number(void **state)
{
	cleanup_json struct json_object *slurm = load("slurm-one.json");
	int64_t closed_s = 1763678231;

	(void)state;
	put_count(slurm, "restarts", 2);
	assert_int_equal(settled_with(slurm, 1, true, 1), 3);
	put_text(slurm, "state", "PENDING");
	json_object_object_del(slurm, "start_unix_s");
	assert_int_equal(settled_with(slurm, 1, true, 2), 2);
	assert_int_equal(settled_with(slurm, 1, true, 0), 2);
	assert_int_equal(settled_with(slurm, 1, true, -1), 1);
	put_count(slurm, "start_unix_s", closed_s + 60);
	put_count(slurm, "restarts", 5);
	assert_int_equal(settled_with(slurm, 1, true, 2), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_earlier_attempt_does_not_take_the_laters_times),
		cmocka_unit_test(an_attempt_that_had_not_begun_is_not_the_one_that_the_epilog_was_of),
		cmocka_unit_test(steps_that_do_not_know_their_attempt_are_of_slurms),
		cmocka_unit_test(an_attempt_that_was_not_the_first_and_is_requeued_has_its_own_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
