/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job *jobs__find(struct jobs *jobs, const struct control_message *message)
{
	for (struct job *job = jobs->first; job; job = job->next)
		if (!job->closing && job->about.job_id == message->job_id &&
		    strcmp(job->about.node, message->node) == 0)
			return job;
	return NULL;
}

struct job *jobs__find_key(struct jobs *jobs, uint64_t key)
{
	for (struct job *job = jobs->first; job; job = job->next)
		if (job->key == key)
			return job;
	return NULL;
}

struct job *jobs__find_writer(struct jobs *jobs, int pid)
{
	for (struct job *job = jobs->first; job; job = job->next)
		if (job->writer_pid == pid)
			return job;
	return NULL;
}

/* Takes over a text. Returns 0; -1 when there is no memory for it, and the one that was known stays. */
static int set_text(char **known, const char *told)
{
	char *copy = strdup(told);

	if (!copy)
		return -1;
	free(*known);
	*known = copy;
	return 0;
}

static int about_set(struct job_about *about, const struct control_message *message)
{
	about->job_id = message->job_id;
	about->uid = message->uid;
	about->gid = message->gid;
	about->array_job_id = message->array_job_id;
	about->array_task_id = message->array_task_id;
	about->restart_count = message->restart_count;
	about->job_memory_mb = message->job_memory_mb;
	about->exit_status = message->exit_status;
	about->derived_status = message->derived_status;
	about->mode = message->mode;
	if (set_text(&about->node, message->node) < 0 || set_text(&about->cluster, message->cluster) < 0 ||
	    set_text(&about->user, message->user) < 0 || set_text(&about->partition, message->partition) < 0 ||
	    set_text(&about->node_list, message->node_list) < 0 ||
	    set_text(&about->work_dir, message->work_dir) < 0 || set_text(&about->output, message->output) < 0)
		return -1;
	return 0;
}

static void about_free(struct job_about *about)
{
	free(about->node);
	free(about->cluster);
	free(about->user);
	free(about->partition);
	free(about->node_list);
	free(about->work_dir);
	free(about->output);
}

struct job *jobs__add(struct jobs *jobs, const struct control_message *message)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	if (about_set(&job->about, message) < 0) {
		about_free(&job->about);
		free(job);
		return NULL;
	}
	job->sampled_peak_bytes = job->swap_peak_bytes = job->charged_peak_bytes = job->limit_bytes = -1;
	job->first_unix_ns = message->sent_unix_ns;
	job->reply_fd = -1;
	job->next = jobs->first;
	jobs->first = job;
	jobs->count++;
	return job;
}

void jobs__note_closed(struct jobs *jobs, const struct control_message *message)
{
	struct closed_job *closed = &jobs->closed[jobs->closed_next++ % JOBS_CLOSED_MAX];

	closed->job_id = message->job_id;
	closed->close_ns = message->sent_ns;
	snprintf(closed->node, sizeof(closed->node), "%s", message->node);
}

bool jobs__was_closed(const struct jobs *jobs, const struct control_message *message)
{
	for (int i = 0; i < JOBS_CLOSED_MAX; i++) {
		const struct closed_job *closed = &jobs->closed[i];

		if (closed->close_ns && closed->job_id == message->job_id && message->sent_ns <= closed->close_ns &&
		    strcmp(closed->node, message->node) == 0)
			return true;
	}
	return false;
}

void jobs__remove(struct jobs *jobs, struct job *job)
{
	struct job **at = &jobs->first;

	while (*at && *at != job)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = job->next;
	jobs->count--;
	for (uint32_t i = 0; i < job->step_count; i++)
		free(job->steps[i].tasks);
	free(job->steps);
	about_free(&job->about);
	timeline_free(&job->timeline);
	series_free(&job->series);
	progress_free(&job->progress);
	oom_free(&job->ooms);
	if (job->reply_fd >= 0)
		close(job->reply_fd);
	free(job);
}

static void learn_text(char **known, const char *told)
{
	if (told[0])
		set_text(known, told);
}

static void learn_number(uint32_t *known, uint32_t told)
{
	if (told != CONTROL_NONE)
		*known = told;
}

/*
 * The job's own option is what its epilog tells. Until then it is taken to be its first step's: a later
 * srun may have one of its own, and the extern step is told none.
 */
static void learn_option(struct job *job, const struct control_message *message)
{
	bool first = message->kind == CONTROL_OPEN && message->step_id != JOB_STEP_EXTERN && !job->option_told;

	if (message->kind != CONTROL_JOB_CLOSE && !first)
		return;
	job->about.mode = message->mode;
	set_text(&job->about.output, message->output);
	job->option_told = true;
}

void job__learn(struct job *job, const struct control_message *message)
{
	struct job_about *about = &job->about;

	if (message->sent_unix_ns < job->first_unix_ns)
		job->first_unix_ns = message->sent_unix_ns;
	learn_option(job, message);
	learn_text(&about->cluster, message->cluster);
	learn_text(&about->work_dir, message->work_dir);
	if (message->kind == CONTROL_OPEN) {
		if (message->array_job_id && message->array_job_id != CONTROL_NONE) {
			about->array_job_id = message->array_job_id;
			about->array_task_id = message->array_task_id;
		}
		/* The extern step is always told that it is the first attempt's. */
		if (about->restart_count == CONTROL_NONE || message->restart_count > about->restart_count)
			learn_number(&about->restart_count, message->restart_count);
		if (message->job_memory_mb)
			about->job_memory_mb = message->job_memory_mb;
	}
	if (message->kind == CONTROL_JOB_CLOSE) {
		about->exit_status = message->exit_status;
		about->derived_status = message->derived_status;
		learn_text(&about->user, message->user);
		learn_text(&about->partition, message->partition);
		learn_text(&about->node_list, message->node_list);
		/* The epilog of a job that is requeued tells the next attempt's number. */
		if (!job->opened_ns)
			learn_number(&about->restart_count, message->restart_count);
	}
}

/* Doubles an array of @size-byte elements when it is full. Returns the array, or NULL when it cannot grow. */
static void *grow(void *array, uint32_t count, uint32_t *room, uint32_t max, size_t size)
{
	uint32_t more = *room ? *room * 2 : 4;

	if (count < *room)
		return array;
	if (count >= max)
		return NULL;
	array = realloc(array, more * size);
	if (array)
		*room = more;
	return array;
}

struct job_step *job__step(struct job *job, uint32_t id)
{
	struct job_step *steps;

	for (uint32_t i = 0; i < job->step_count; i++)
		if (job->steps[i].id == id)
			return &job->steps[i];
	steps = grow(job->steps, job->step_count, &job->step_room, JOB_STEPS_MAX, sizeof(*steps));
	if (!steps) {
		job->steps_lost++;
		return NULL;
	}
	job->steps = steps;
	steps = &steps[job->step_count++];
	memset(steps, 0, sizeof(*steps));
	steps->id = id;
	return steps;
}

void job_step__add_task(struct job_step *step, uint32_t rank, int32_t pid)
{
	struct job_task *tasks;

	if (pid <= 0)
		return;
	for (uint32_t i = 0; i < step->tasks_here; i++)
		if (step->tasks[i].pid == pid)
			return;
	tasks = grow(step->tasks, step->tasks_here, &step->tasks_room, JOB_TASKS_MAX, sizeof(*tasks));
	if (!tasks)
		return;
	step->tasks = tasks;
	tasks[step->tasks_here].rank = rank;
	tasks[step->tasks_here].pid = pid;
	step->tasks_here++;
}

const char *job_step_name(uint32_t id, char text[16])
{
	switch (id) {
	case 0xfffffffbu:
		return strcpy(text, "batch");
	case JOB_STEP_EXTERN:
		return strcpy(text, "extern");
	case 0xfffffffau:
		return strcpy(text, "interactive");
	}
	snprintf(text, 16, "%u", id);
	return text;
}
