/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what stintd knows about a job: its option, its attempt, and that it was closed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "collector/job/job.h"

static struct control_message message_of(uint16_t kind, uint32_t job_id, const char *node, uint64_t sent_ns)
{
	struct control_message message = { .kind = kind, .job_id = job_id, .sent_ns = sent_ns };

	snprintf(message.node, sizeof(message.node), "%s", node);
	return message;
}

static bool closed(const struct jobs *jobs, uint16_t kind, uint32_t job_id, const char *node, uint64_t sent_ns)
{
	struct control_message message = message_of(kind, job_id, node, sent_ns);

	return jobs__was_closed(jobs, &message);
}

/* The plugin waits a limited time, and then leaves the same message as a note. */
static void a_note_of_what_was_taken_in_opens_no_second_job(void **state)
{
	static struct jobs jobs;
	struct control_message close = message_of(CONTROL_JOB_CLOSE, 7, "n1", 500);

	(void)state;
	assert_false(closed(&jobs, CONTROL_JOB_CLOSE, 7, "n1", 500));
	jobs__note_closed(&jobs, &close);
	assert_true(closed(&jobs, CONTROL_JOB_CLOSE, 7, "n1", 500));
	assert_true(closed(&jobs, CONTROL_OPEN, 7, "n1", 100));
}

static void the_next_attempt_and_other_jobs_are_not_closed(void **state)
{
	static struct jobs jobs;
	struct control_message close = message_of(CONTROL_JOB_CLOSE, 7, "n1", 500);

	(void)state;
	jobs__note_closed(&jobs, &close);
	assert_false(closed(&jobs, CONTROL_OPEN, 7, "n1", 501));
	assert_false(closed(&jobs, CONTROL_JOB_CLOSE, 7, "n2", 500));
	assert_false(closed(&jobs, CONTROL_JOB_CLOSE, 8, "n1", 500));
}

static void the_latest_are_known_however_many_there_were(void **state)
{
	static struct jobs jobs;

	(void)state;
	for (uint32_t id = 1; id <= 3 * JOBS_CLOSED_MAX; id++) {
		struct control_message close = message_of(CONTROL_JOB_CLOSE, id, "n1", 500 + id);

		jobs__note_closed(&jobs, &close);
	}
	assert_true(closed(&jobs, CONTROL_JOB_CLOSE, 3 * JOBS_CLOSED_MAX, "n1", 500 + 3 * JOBS_CLOSED_MAX));
	assert_true(closed(&jobs, CONTROL_JOB_CLOSE, 2 * JOBS_CLOSED_MAX + 1, "n1", 500));
	assert_false(closed(&jobs, CONTROL_JOB_CLOSE, 1, "n1", 500));
}

static struct control_message step_of(uint32_t step_id, enum control_mode mode, const char *output)
{
	struct control_message message = message_of(CONTROL_OPEN, 7, "n1", 100);

	message.step_id = step_id;
	message.mode = mode;
	message.open.umask = -1;
	snprintf(message.open.output, sizeof(message.open.output), "%s", output);
	return message;
}

static void the_jobs_own_option_is_the_epilogs_and_until_then_its_first_steps(void **state)
{
	static struct jobs jobs;
	struct control_message opened[] = {
		step_of(STEP_EXTERN, CONTROL_MODE_DEFAULT, ""),
		step_of(STEP_BATCH, CONTROL_MODE_SUMMARY, "own"),
		step_of(0, CONTROL_MODE_OFF, "another"),
	};
	struct control_message close = message_of(CONTROL_JOB_CLOSE, 7, "n1", 500);
	struct job *job = jobs__add(&jobs, &opened[0]);

	(void)state;
	for (int i = 0; i < 3; i++)
		job__learn(job, &opened[i]);
	assert_int_equal(job->about.mode, CONTROL_MODE_SUMMARY);
	assert_string_equal(job->about.output, "own");
	job__learn(job, &close);
	assert_int_equal(job->about.mode, CONTROL_MODE_DEFAULT);
	assert_string_equal(job->about.output, "");
	jobs__remove(&jobs, job);
}

static void a_requeued_jobs_attempt_is_the_one_its_steps_told(void **state)
{
	static struct jobs jobs;
	struct control_message extern_step = step_of(STEP_EXTERN, CONTROL_MODE_DEFAULT, "");
	struct control_message batch = step_of(STEP_BATCH, CONTROL_MODE_DEFAULT, "");
	struct control_message close = message_of(CONTROL_JOB_CLOSE, 7, "n1", 500);
	struct job *job;

	(void)state;
	batch.open.restart_count = 1;
	close.job_close.restart_count = 2; /* of the next attempt already */
	job = jobs__add(&jobs, &extern_step);
	job__learn(job, &extern_step);
	job__learn(job, &batch);
	job->opened_ns = 1;
	job__learn(job, &extern_step);
	job__learn(job, &close);
	assert_int_equal(job->about.restart_count, 1);
	assert_int_equal(job->epilogs_restarts, 2);
	close.job_close.restart_count = 1;
	job__learn(job, &close);
	assert_int_equal(job->epilogs_restarts, 0);
	jobs__remove(&jobs, job);
}

/* 2: if a partition is off, the extern step only reports its end. */
static void whether_the_extern_step_is_announced_is_what_any_step_says(void **state)
{
	static struct jobs jobs;
	struct control_message step = step_of(0, CONTROL_MODE_DEFAULT, "");
	struct job *job = jobs__add(&jobs, &step);

	(void)state;
	job__learn(job, &step);
	assert_false(job->extern_step.ends_job);
	step.open.ends = CONTROL_ENDS_UNANNOUNCED;
	job__learn(job, &step);
	assert_true(job->extern_step.ends_job && !job->extern_step.announced);
	step.open.ends = CONTROL_ENDS_WITH_EXTERN;
	job__learn(job, &step);
	assert_true(job->extern_step.ends_job && job->extern_step.announced);
	jobs__remove(&jobs, job);
}

/* A step's array numbers come from its environment, which the user controls. The batch step's come from slurmctld. */
static void array_numbers_are_the_batch_steps(void **state)
{
	static struct jobs jobs;
	struct control_message step = step_of(0, CONTROL_MODE_DEFAULT, "");
	struct control_message batch = step_of(STEP_BATCH, CONTROL_MODE_DEFAULT, "");
	struct job *job;

	(void)state;
	step.open.array_job_id = step.open.array_task_id = 1;
	batch.open.array_job_id = 4;
	batch.open.array_task_id = 2;
	job = jobs__add(&jobs, &step);
	job__learn(job, &step);
	assert_int_equal(job->about.array_job_id, CONTROL_NONE);
	assert_int_equal(job->about.array_task_id, CONTROL_NONE);
	job__learn(job, &batch);
	job__learn(job, &step);
	assert_int_equal(job->about.array_job_id, 4);
	assert_int_equal(job->about.array_task_id, 2);
	jobs__remove(&jobs, job);
}

static void without_an_epilog_a_job_is_over_with_its_last_step_or_process(void **state)
{
	struct job_step steps[] = { { .end_ns = 300 }, { .end_ns = 500 }, { .end_ns = 0 } };
	struct job job = { .closing.close_ns = 900, .steps = steps, .step_count = 3 };

	(void)state;
	assert_int_equal(job_end_ns(&job, 400), 900); /* an allocation lasts until its epilog */
	job.extern_step.ends_job = true;
	assert_int_equal(job_end_ns(&job, 400), 500);
	assert_int_equal(job_end_ns(&job, 0), 500);
	assert_int_equal(job_end_ns(&job, 600), 600);
	assert_int_equal(job_end_ns(&job, 901), 901); /* it outlived the step that closed the job */
	job.queried = true;
	assert_int_equal(job_end_ns(&job, 400), 900);
	job = (struct job){ .closing = { .close_ns = 900, .no_epilog = true } };
	assert_int_equal(job_end_ns(&job, 400), 400);
	assert_int_equal(job_end_ns(&job, 0), 900);
}

static void a_phase_expects_its_own_events_alone(void **state)
{
	static const int next[JOB_PHASES][JOB_EVENTS] = {
		[JOB_OPEN] = { JOB_ENDING, -1, -1, -1 },
		[JOB_ENDING] = { -1, JOB_BUILDING, -1, -1 },
		[JOB_BUILDING] = { -1, -1, JOB_ENDING, JOB_HELD },
		[JOB_HELD] = { -1, JOB_BUILDING, -1, -1 },
	};
	uint64_t before = job_unexpected(), wrong = 0;

	(void)state;
	for (int phase = 0; phase < JOB_PHASES; phase++)
		for (int event = 0; event < JOB_EVENTS; event++) {
			struct job job = { .phase = phase };
			bool expected = next[phase][event] >= 0;

			assert_int_equal(job_enter(&job, event), expected);
			assert_int_equal(job.phase, expected ? next[phase][event] : phase);
			wrong += !expected;
			assert_int_equal(job_unexpected(), before + wrong);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_phase_expects_its_own_events_alone),
		cmocka_unit_test(the_jobs_own_option_is_the_epilogs_and_until_then_its_first_steps),
		cmocka_unit_test(a_requeued_jobs_attempt_is_the_one_its_steps_told),
		cmocka_unit_test(whether_the_extern_step_is_announced_is_what_any_step_says),
		cmocka_unit_test(without_an_epilog_a_job_is_over_with_its_last_step_or_process),
		cmocka_unit_test(array_numbers_are_the_batch_steps),
		cmocka_unit_test(a_note_of_what_was_taken_in_opens_no_second_job),
		cmocka_unit_test(the_next_attempt_and_other_jobs_are_not_closed),
		cmocka_unit_test(the_latest_are_known_however_many_there_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
