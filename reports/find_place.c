/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a job ran, by slurmctld and, when that has forgotten it, by accounting. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "reports/field.h"
#include "reports/find.h"
#include "reports/process.h"
#include "reports/slurm_job.h"

#define SACCT_WAIT_MS 5000
#define SACCT_ANSWER_MAX (4u << 20)
#define SACCT_FIELDS "JobID,State,NodeList,WorkDir" /* a directory may have any character but a newline: it comes last */

/* What there is to know of a job that left no report. */
struct place {
	char *state, *reason, *work_dir;
	bool started; /* some node was its own */
	bool running;
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

/* An array's task has a job id of its own, too; its report is named for the array. */
static void correct_job(struct json_object *slurm, struct locate_job *job)
{
	int64_t array, task;

	if (job->task >= 0 || job->offset >= 0 || !field_count(slurm, "array_job_id", &array) || array == job->id ||
	    !field_count(slurm, "array_task_id", &task))
		return;
	job->id = array;
	job->task = task;
}

static bool is_running(const char *state)
{
	return state && (strcmp(state, "RUNNING") == 0 || strcmp(state, "SUSPENDED") == 0);
}

static void read_slurm(struct json_object *slurm, struct place *place)
{
	const char *reason = field_text(slurm, "waits_for"), *nodes = field_text(slurm, "node_list");

	place->state = copy(field_text(slurm, "state"));
	place->reason = copy(reason ? reason : field_text(slurm, "reason"));
	place->work_dir = copy(field_text(slurm, "work_dir"));
	place->running = is_running(place->state);
	place->started = nodes || (place->state && strcmp(place->state, "PENDING") != 0 &&
				   strcmp(place->state, "CANCELLED") != 0);
}

/* ---- accounting ---- */

/* The field that @line begins with, ended; @line goes on behind it. */
static char *cut_field(char **line)
{
	char *field = *line, *bar = field ? strchr(field, '|') : NULL;

	*line = bar ? bar + 1 : NULL;
	if (bar)
		*bar = '\0';
	return field;
}

/* "123_7", where a job's own id was asked for. */
static void correct_by_name(const char *name, struct locate_job *job)
{
	struct locate_job named;

	if (job->task < 0 && job->offset < 0 && locate_parse_job(name, &named) && named.task >= 0 && named.id != job->id)
		*job = named;
}

/* JOBID|STATE|NODES|DIRECTORY of the first line. */
static int read_accounting(char *answer, struct locate_job *job, struct place *place)
{
	char *line = answer, *name, *nodes;

	answer[strcspn(answer, "\n")] = '\0';
	name = cut_field(&line);
	place->state = copy(cut_field(&line));
	nodes = cut_field(&line);
	if (!name || !place->state || !nodes || !line)
		return -1;
	place->work_dir = copy(line);
	place->running = is_running(place->state);
	place->started = *nodes && strcmp(nodes, "None assigned") != 0;
	correct_by_name(name, job);
	return 0;
}

static int ask_accounting(const char *name, struct locate_job *job, struct place *place, struct error *err)
{
	const char *argv[] = { "sacct", "-X", "-P", "-n", "-o", SACCT_FIELDS, "-j", name, NULL };
	cleanup_free char *answer = process_output(argv, SACCT_WAIT_MS, SACCT_ANSWER_MAX, NULL, err);

	if (!answer)
		return -1;
	if (!*answer)
		return error_set(err, "it knows of no such job");
	if (read_accounting(answer, job, place) < 0)
		return error_set(err, "its answer is not understood");
	return 0;
}

/* ---- both ---- */

static int say_unstarted(const char *name, const struct place *place, struct error *err)
{
	bool waits = place->state && strcmp(place->state, "PENDING") == 0;

	return error_set(err, "job %s: %s, so there is no report: %.60s%s%.100s", name,
			 waits ? "it has not started yet" : "it never started", place->state ? place->state : "?",
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

/* The first line of what a helper said, without who it was. */
static const char *without_name(const char *text, const char *name)
{
	size_t len = strlen(name);

	return strncmp(text, name, len) == 0 && text[len] == ':' ? text + len + 1 + strspn(text + len + 1, " ") : text;
}

int find_place(const char *name, struct locate_job *job, char **place, struct json_object **running, struct error *err)
{
	struct error slurm_why, sacct_why;
	cleanup_json struct json_object *slurm = slurm_job(name, &slurm_why);
	struct place found = { 0 };
	int result = -1;

	if (slurm) {
		correct_job(slurm, job);
		read_slurm(slurm, &found);
		if (found.running)
			*running = json_object_get(slurm);
		result = found.running ? 0 : take_place(name, &found, place, err);
	} else if (ask_accounting(name, job, &found, &sacct_why) == 0) {
		result = take_place(name, &found, place, err);
	} else {
		error_set(err,
			  "job %s: no report of it in this directory; Slurm says: %.150s; accounting says: %.150s; "
			  "go to the job's directory, or name the report's file", name,
			  without_name(slurm_why.text, "stint-slurm-job"), without_name(sacct_why.text, "sacct"));
	}
	free_place(&found);
	return result;
}
