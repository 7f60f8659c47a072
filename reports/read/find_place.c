/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks slurmctld where a job ran, or accounting if slurmctld has forgotten the job. */
#include "reports/read/find_place.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/process/subprocess.h"
#include "reports/json/field.h"
#include "reports/json/job_state.h"
#include "reports/json/task_list.h"
#include "reports/read/find_messages.h"
#include "reports/slurm/slurm_job.h"

#define ENDING_S 10 /* a report arrives within this time, if nothing delays it */
#define SACCT_WAIT_MS 5000
#define SACCT_ANSWER_MAX (4u << 20)
#define SACCT_FIELDS "JobID,UID,State,NodeList,WorkDir" /* the directory is last, because it may contain any character but a newline */

/* Slurm's answer about a job that left no report. */
struct place {
	char *state, *reason, *work_dir;
	bool started; /* the job was allocated nodes */
	bool running;
	bool ending; /* Slurm cleans up after the job, or did until a moment ago */
};

static void free_place(struct place *place)
{
	free(place->state);
	free(place->reason);
	free(place->work_dir);
}

static char *copy(const char *text)
{
	return text && *text ? strdup(text) : NULL;
}

/* ---- slurmctld ---- */

/* A task of an array has a job id of its own, but its report is named after the array. */
static void correct_job(const struct record_slurm_job *slurm, struct locate_job *job)
{
	int64_t array, task;

	if (job->task >= 0 || job->offset >= 0 || !take_count(slurm->array_job_id, &array) || array == job->id ||
	    !take_count(slurm->array_task_id, &task))
		return;
	job->id = array;
	job->task = task;
}

static bool is_ending(const struct record_slurm_job *slurm)
{
	return slurm->completing ||
	       (slurm->end_unix_s >= 0 && count_sum(slurm->end_unix_s, ENDING_S) >= (int64_t)time(NULL));
}

int64_t find_array_of(const struct record_slurm_job *slurm)
{
	int64_t array = -1;

	/* An answer about several waiting tasks has the array's number as its job id. */
	if (!take_count(slurm->array_job_id, &array) && slurm->array_tasks)
		take_count(slurm->job_id, &array);
	return array;
}

bool find_goes_on(const struct record_slurm_job *slurm, const struct locate_job *job)
{
	return job->task < 0 && job->offset < 0 && find_array_of(slurm) == job->id && state_goes_on(slurm->state);
}

/*
 * Returns whether @slurm is about waiting tasks of the array, and the task of @job is not one of them.
 * This is Slurm's answer if the task ended long ago, or does not exist.
 */
static bool is_none_of_those(const struct record_slurm_job *slurm, const struct locate_job *job, const struct place *place)
{
	const char *tasks = slurm->array_tasks;

	return job->task >= 0 && tasks && state_waits(place->state) && !task_list_has(tasks, job->task);
}

static char *say_none_of_those(const struct record_slurm_job *slurm)
{
	char *text;

	return asprintf(&text, "the tasks %.100s of its array wait, and this task is not among them: it has ended, or the array has "
			       "no such task",
			slurm->array_tasks) < 0 ? NULL : text;
}

static void read_slurm(const struct record_slurm_job *slurm, struct locate_job *job, struct place *place)
{
	job->has_user = take_count(slurm->user_id, &job->user);
	place->state = copy(slurm->state);
	place->reason = copy(slurm->waits_for ? slurm->waits_for : slurm->reason);
	place->work_dir = copy(slurm->work_dir);
	place->running = state_runs(place->state);
	place->ending = !place->running && is_ending(slurm);
	place->started = slurm->node_list || (place->state && !state_waits(place->state) && !state_comes_unstarted(place->state));
}

/* ---- accounting ---- */

static char *cut_field(char **line)
{
	char *field = *line, *bar = field ? strchr(field, '|') : NULL;

	*line = bar ? bar + 1 : NULL;
	if (bar)
		*bar = '\0';
	return field;
}

/* Accounting answers with "123_7" if asked for the task's own job id. */
static void correct_by_name(const char *name, struct locate_job *job)
{
	struct locate_job named;

	if (job->task < 0 && job->offset < 0 && locate_parse_job(name, &named) && named.task >= 0 && named.id != job->id) {
		job->id = named.id;
		job->task = named.task;
	}
}

/* Reads the first line: JOBID|UID|STATE|NODES|DIRECTORY. */
static int read_accounting(char *answer, struct locate_job *job, struct place *place)
{
	char *line = answer, *name, *user, *nodes;

	answer[strcspn(answer, "\n")] = '\0';
	name = cut_field(&line);
	user = cut_field(&line);
	place->state = copy(cut_field(&line));
	nodes = cut_field(&line);
	if (!name || !user || !place->state || !nodes || !line)
		return -1;
	job->has_user = *user >= '0' && *user <= '9';
	job->user = strtoll(user, NULL, 10);
	place->work_dir = copy(line);
	place->running = state_runs(place->state);
	place->started = *nodes && strcmp(nodes, "None assigned") != 0;
	correct_by_name(name, job);
	return 0;
}

static int ask_accounting(const char *name, struct locate_job *job, struct place *place, struct error *err)
{
	const char *argv[] = { "sacct", "-X", "-P", "-n", "-o", SACCT_FIELDS, "-j", name, NULL };
	cleanup_free char *answer = subprocess_output(argv, SACCT_WAIT_MS, SACCT_ANSWER_MAX, NULL, err);

	if (!answer)
		return -1;
	if (!*answer)
		return error_set(err, "it does not know the job");
	if (read_accounting(answer, job, place) < 0)
		return error_set(err, "stint does not understand its answer");
	return 0;
}

/* ---- slurmctld and accounting ---- */

static int say_unstarted(const char *name, const struct place *place, struct error *err)
{
	return error_set(err, "job %s: %s, so there is no report: %.60s%s%.100s", name,
			 state_waits(place->state) ? "it has not started yet" : "it never started", place->state ? place->state : "?",
			 place->reason ? ", " : "", place->reason ? place->reason : "");
}

static int take_place(const char *name, struct place *place, char **directory, struct error *err)
{
	if (!place->started)
		return say_unstarted(name, place, err);
	if (!place->work_dir)
		return error_set(err, "job %s: no report of it in this directory, and Slurm does not say where it ran",
				 name);
	*directory = place->work_dir;
	place->work_dir = NULL;
	return 0;
}

/*
 * Sets @err: the job is unknown, or Slurm cannot say where it ran.
 * Many clusters have no accounting, so mentions accounting only if it seems to be down.
 */
static int say_unknown(const char *name, const char *slurm_why, const char *sacct_why, struct error *err)
{
	bool down = strstr(sacct_why, "onnection") || strstr(sacct_why, "no answer in time");

	if (!strstr(slurm_why, SLURM_JOB_UNKNOWN))
		return error_set(err, "job %s: no report of it in this directory, and Slurm cannot say where it ran: %.300s",
				 name, slurm_why);
	return error_set(err, "No job %s is known here%s; --verbose says what was tried", name,
			 down ? ", and accounting does not answer" : "");
}

static const char *without_name(const char *text, const char *name)
{
	size_t len = strlen(name);

	return strncmp(text, name, len) == 0 && text[len] == ':' ? text + len + 1 + strspn(text + len + 1, " ") : text;
}

/* Returns why a job cannot be shown: accounting says that it runs, but slurmctld does not. */
static char *say_doubt(const struct place *place, const char *slurm_why)
{
	char *text;

	return asprintf(&text, "accounting says that it is %.60s, and Slurm says: %.300s", place->state, slurm_why) < 0
		       ? NULL : text;
}

void found_place_free(struct found_place *place)
{
	free(place->directory);
	slurm_answer_free(place->running);
	slurm_answer_free(place->array);
	free(place->doubt);
}

int find_place(const struct rows *rows, const char *name, struct locate_job *job, struct found_place *place,
	       struct error *err)
{
	struct error slurm_why, sacct_why;
	cleanup_answer struct slurm_answer *answer = slurm_job(NULL, name, &slurm_why);
	const struct record_slurm_job *slurm = slurm_answer_job(answer);
	struct place found = { 0 };
	int result = -1;
	bool none;

	if (slurm) {
		correct_job(slurm, job);
		read_slurm(slurm, job, &found);
		if (find_goes_on(slurm, job)) {
			place->array = answer;
			found.started = true;
			found.running = false;
		}
		none = is_none_of_those(slurm, job, &found);
		found.started = found.started || none;
		if (found.running)
			place->running = answer;
		if (found.ending)
			place->doubt = strdup("it ended just now: its report comes in a moment, unless it ran with "
					      "--stint=off");
		else if (none)
			place->doubt = say_none_of_those(slurm);
		result = found.running ? 0 : take_place(name, &found, &place->directory, err);
		answer = place->array || place->running ? NULL : answer;
	} else if (ask_accounting(name, job, &found, &sacct_why) == 0) {
		if (found.running)
			place->doubt = say_doubt(&found, without_name(slurm_why.text, SLURM_JOB_HELPER));
		result = take_place(name, &found, &place->directory, err);
	} else {
		find_tried(rows, "tried: Slurm says: %.300s", without_name(slurm_why.text, SLURM_JOB_HELPER));
		find_tried(rows, "tried: accounting says: %.300s", without_name(sacct_why.text, "sacct"));
		say_unknown(name, without_name(slurm_why.text, SLURM_JOB_HELPER), sacct_why.text, err);
	}
	free_place(&found);
	return result;
}
