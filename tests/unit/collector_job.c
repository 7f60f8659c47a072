/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job that was closed stays closed, and its next attempt is another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "collector/job.h"

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

/* The plugin waits a bounded time for an answer and then leaves the same message as a note. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_note_of_what_was_taken_in_opens_no_second_job),
		cmocka_unit_test(the_next_attempt_and_other_jobs_are_not_closed),
		cmocka_unit_test(the_latest_are_known_however_many_there_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
