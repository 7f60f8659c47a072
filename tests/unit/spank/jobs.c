/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that an answer about many jobs has a limit, whatever their users' texts are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "spank/slurm_job/jobs.h"
#include "spank/slurm_job/slurm_compat.h"
#include "tests/unit/within.h"

#define ANSWER_MAX (64u << 20) /* what reports/slurm/slurm_jobs.c reads */

static job_info_msg_t answer;
static size_t bytes, printed, left_out;
static int64_t last, order[4];

/* Replaces libslurm's: slurmctld's answer. */
int slurm_load_jobs(time_t since, job_info_msg_t **to, uint16_t flags)
{
	(void)since;
	(void)flags;
	*to = &answer;
	return SLURM_SUCCESS;
}

void slurm_free_job_info_msg(job_info_msg_t *given)
{
	assert_ptr_equal(given, &answer);
}

static int print(struct json_object *job)
{
	struct json_object *rest, *id;
	size_t length;

	json_object_to_json_string_length(job, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
	bytes += length + 1;
	if (json_object_object_get_ex(job, "left_out", &rest)) {
		left_out = (size_t)json_object_get_int64(rest);
	} else {
		printed++;
		assert_true(json_object_object_get_ex(job, "job_id", &id));
		last = json_object_get_int64(id);
		if (printed <= sizeof(order) / sizeof(order[0]))
			order[printed - 1] = last;
	}
	json_object_put(job);
	return 0;
}

/* Asks about @count jobs, submitted one after another, each with @text in its user's fields. */
static void ask(size_t count, char *text)
{
	const struct jobs_question question = { .since_s = 0, .until_s = 1000000, .uid = JOBS_EVERYBODY };

	answer = (job_info_msg_t){ .record_count = (uint32_t)count, .job_array = calloc(count, sizeof(*answer.job_array)) };
	assert_non_null(answer.job_array);
	for (size_t i = 0; i < count; i++) {
		job_info_t *job = &answer.job_array[i];

		job->job_id = (uint32_t)i + 1;
		job->array_task_id = NO_VAL;
		job->submit_time = (time_t)i + 1;
		job->name = job->comment = job->command = job->work_dir = text;
	}
	bytes = printed = left_out = 0;
	assert_null(jobs_of_controller(&question, print));
	free(answer.job_array);
}

static void jobs_of_long_texts_are_left_out_where_the_answer_would_be_too_long(void **state)
{
	char text[4096];

	(void)state;
	memset(text, '\1', sizeof(text) - 1); /* each is six bytes of JSON */
	text[sizeof(text) - 1] = '\0';
	ask(2000, text);
	assert_within(bytes, ANSWER_MAX / 2, ANSWER_MAX - 1);
	assert_int_equal(printed + left_out, 2000);
	assert_true(left_out > 0);
	assert_int_equal(last, 2000 - printed + 1);
}

/* The task that starts last has the array's number in Slurm, and the others have later ones. */
static void tasks_of_one_array_stand_together(void **state)
{
	const struct jobs_question question = { .since_s = 0, .until_s = 1000000, .uid = JOBS_EVERYBODY };
	job_info_t jobs[] = {
		{ .job_id = 13, .array_job_id = 11, .array_task_id = 2, .submit_time = 5 },
		{ .job_id = 12, .array_task_id = NO_VAL, .submit_time = 5 },
		{ .job_id = 14, .array_job_id = 11, .array_task_id = 1, .submit_time = 5 },
		{ .job_id = 11, .array_job_id = 11, .array_task_id = 3, .submit_time = 5 },
	};
	static const int64_t wanted[] = { 12, 11, 13, 14 };

	(void)state;
	answer = (job_info_msg_t){ .record_count = 4, .job_array = jobs };
	printed = 0;
	assert_null(jobs_of_controller(&question, print));
	assert_int_equal(printed, 4);
	assert_memory_equal(order, wanted, sizeof(wanted));
}

static void others_are_all_there_up_to_their_number(void **state)
{
	char text[] = "/home/me/job.sh";

	(void)state;
	ask(JOBS_MOST, text);
	assert_int_equal(printed, JOBS_MOST);
	assert_int_equal(left_out, 0);
	ask(JOBS_MOST + 3, text);
	assert_int_equal(printed, JOBS_MOST);
	assert_int_equal(left_out, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_of_long_texts_are_left_out_where_the_answer_would_be_too_long),
		cmocka_unit_test(tasks_of_one_array_stand_together),
		cmocka_unit_test(others_are_all_there_up_to_their_number),
	};

	return cmocka_run_group_tests_name("spank jobs", tests, NULL, NULL);
}
