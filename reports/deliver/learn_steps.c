/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/learn_steps.h"

#include <stdbool.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/control.h"
#include "common/json_writer.h"
#include "common/time_text.h"
#include "reports/json/field.h"
#include "reports/slurm/slurm_job.h"

#define SHORTEST_LIMIT_NS (59 * NS_PER_S) /* a limit is at least a minute, by a clock that may differ from this node's */

/* Whether @step, of the record, can have reached its own time limit. *@id: its number */
static bool is_suspect(struct json_object *step, int64_t *id)
{
	int64_t status, start, end;

	return field_count(step, "step_id", id) && *id < STEPS_OF_SRUN && field_count(step, "exit_status", &status) && status &&
	       field_count(step, "start_unix_ns", &start) && field_count(step, "end_unix_ns", &end) &&
	       end - start >= SHORTEST_LIMIT_NS;
}

/* Returns the step @id of @answer, slurmdbd's; NULL: not in it. */
static struct json_object *find_step(struct json_object *answer, int64_t id)
{
	int64_t number;

	for (size_t i = 0; i < field_length(answer); i++) {
		struct json_object *step = json_object_array_get_idx(answer, i);

		if (field_count(step, "id", &number) && number == id)
			return step;
	}
	return NULL;
}

/* Returns how many of @job's suspects are not in @answer. *@timed_out is set to a list of the numbers of those that timed out. */
static size_t look_up(const struct writer_job *job, struct json_object *answer, struct json_object **timed_out)
{
	struct json_object *steps = field_typed(job->record, "steps", json_type_array), *known;
	size_t unknown = 0;
	int64_t id;

	json_object_put(*timed_out);
	*timed_out = json_object_new_array();
	for (size_t i = 0; i < field_length(steps); i++) {
		if (!is_suspect(json_object_array_get_idx(steps, i), &id))
			continue;
		known = find_step(answer, id);
		unknown += !known;
		if (field_true(known, "timed_out"))
			json_object_array_add(*timed_out, json_object_new_int64(id));
	}
	return unknown;
}

/*
 * Whether Slurm's answer is about this attempt of the job, and the job ended by itself: if Slurm ended it as a whole,
 * its steps ended with it.
 */
static bool ended_by_itself(const struct writer_job *job)
{
	int64_t restarts = 0;

	if (!field_is(job->slurm, "state", "COMPLETED") && !field_is(job->slurm, "state", "FAILED"))
		return false;
	return !field_count(job->slurm, "restarts", &restarts) || restarts + 1 == job->identity.attempt;
}

void learn_steps(struct writer_job *job)
{
	static const time_t pauses_s[] = { 0, 1, 2, 4 };
	const char *cluster = field_text(job->record, "identity.cluster");
	cleanup_json struct json_object *answer = NULL, *timed_out = NULL;
	struct error why;

	if (!job->slurm || !cluster || !writer_leads(job) || !ended_by_itself(job) || look_up(job, NULL, &timed_out) == 0)
		return;
	for (size_t i = 0; i < sizeof(pauses_s) / sizeof(*pauses_s); i++) {
		nanosleep(&(struct timespec){ .tv_sec = pauses_s[i] }, NULL);
		json_object_put(answer);
		answer = slurm_job_steps(cluster, job->slurm, &why);
		if (!answer || look_up(job, answer, &timed_out) == 0)
			break;
	}
	if (answer)
		json_object_object_add(job->slurm, "steps_timed_out", json_object_get(timed_out));
}
