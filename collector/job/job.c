/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/host/log.h"
#include "common/memory/array.h"

struct job *jobs__find(struct jobs *jobs, const struct control_message *message)
{
	for (struct job *job = jobs->first; job; job = job->next)
		if (job->phase == JOB_OPEN && job->about.job_id == message->job_id &&
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

struct job *jobs__find_builder(struct jobs *jobs, int pid)
{
	for (struct job *job = jobs->first; job; job = job->next)
		if (job->phase == JOB_BUILDING && job->closing.builder_pid == pid)
			return job;
	return NULL;
}

static int set_text(char **known, const char *text)
{
	char *copy = strdup(text);

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
	about->array_job_id = about->array_task_id = about->restart_count = CONTROL_NONE;
	about->exit_status = about->derived_status = about->umask = -1;
	about->mode = message->mode;
	if (set_text(&about->node, message->node) < 0 || set_text(&about->cluster, "") < 0 ||
	    set_text(&about->user, "") < 0 || set_text(&about->partition, "") < 0 ||
	    set_text(&about->node_list, "") < 0 || set_text(&about->work_dir, "") < 0 ||
	    set_text(&about->output, "") < 0 || set_text(&about->gpus, "") < 0)
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
	free(about->gpus);
}

static const struct memory_peaks no_peaks = { -1, -1, -1, -1, -1 };

static void raise(int64_t *peak, int64_t value)
{
	if (value > *peak)
		*peak = value;
}

void memory_peaks_note(struct memory_peaks *peaks, const struct cgroup_memory *memory)
{
	raise(&peaks->used_bytes, memory->used_bytes);
	raise(&peaks->swap_bytes, memory->swap_bytes);
	raise(&peaks->charged_bytes, memory->charged_peak_bytes);
	if (memory->limit_bytes >= 0)
		peaks->limit_bytes = memory->limit_bytes;
}

static struct job_user *user_take(struct jobs *jobs, uint32_t uid)
{
	struct job_user *user = jobs->users;

	while (user && user->uid != uid)
		user = user->next;
	if (!user) {
		user = calloc(1, sizeof(*user));
		if (!user)
			return NULL;
		user->uid = uid;
		user->next = jobs->users;
		jobs->users = user;
		jobs->user_count++;
	}
	user->jobs++;
	return user;
}

static void user_give(struct jobs *jobs, struct job_user *user)
{
	struct job_user **at = &jobs->users;

	if (--user->jobs)
		return;
	while (*at != user)
		at = &(*at)->next;
	*at = user->next;
	jobs->user_count--;
	free(user);
}

struct job *jobs__add(struct jobs *jobs, const struct control_message *message)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	if (about_set(&job->about, message) == 0)
		job->user = user_take(jobs, message->uid);
	if (!job->user) {
		about_free(&job->about);
		free(job);
		return NULL;
	}
	job->memory = no_peaks;
	job->first_unix_ns = message->sent_unix_ns;
	job->closing.reply_fd = -1;
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
	closed->no_epilog = message->job_close.closed_by != CONTROL_BY_EPILOG;
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

bool job_is_extern(const struct control_message *message)
{
	return message->step_id == STEP_EXTERN;
}

bool job_has_step(const struct job *job)
{
	for (uint32_t i = 0; i < job->step_count; i++)
		if (job->steps[i].id != STEP_EXTERN)
			return true;
	return false;
}

const struct job_step *job_find_step(const struct job *job, uint32_t id)
{
	for (uint32_t i = 0; i < job->step_count; i++)
		if (job->steps[i].id == id)
			return &job->steps[i];
	return NULL;
}

bool job_continues(const struct job *job)
{
	/*
	 * If stint is off in the job's partition, no message announces the extern step. But the processes of this step
	 * are counted, so the job has a key.
	 */
	return job->extern_step.ends_job && !job->extern_step.ended && (job->extern_step.announced || job->key) &&
	       !job_find_step(job, STEP_EXTERN) && !job_find_step(job, STEP_BATCH);
}

uint64_t job_end_ns(const struct job *job, uint64_t process_ns)
{
	uint64_t end_ns = process_ns;

	if (job->queried || !(job->extern_step.ends_job || job->closing.no_epilog))
		return job->closing.close_ns;
	for (uint32_t i = 0; i < job->step_count; i++)
		if (job->steps[i].end_ns > end_ns)
			end_ns = job->steps[i].end_ns;
	return end_ns ? end_ns : job->closing.close_ns;
}

bool jobs__was_overdue(const struct jobs *jobs, const struct control_message *message)
{
	for (int i = 0; i < JOBS_CLOSED_MAX; i++) {
		const struct closed_job *closed = &jobs->closed[i];

		if (closed->no_epilog && closed->job_id == message->job_id && strcmp(closed->node, message->node) == 0)
			return true;
	}
	return false;
}

static uint64_t unexpected;

bool job_enter(struct job *job, enum job_event event)
{
	enum job_phase next = job_phase_next(job->phase, event);

	if (next == JOB_PHASES) {
		unexpected++;
		collector_log(LOG_ERR, "job %u: %s came in the phase \"%s\", which does not expect it", job->about.job_id,
			      job_event_name(event), job_phase_name(job->phase));
		return false;
	}
	job->phase = next;
	return true;
}

uint64_t job_unexpected(void)
{
	return unexpected;
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
	user_give(jobs, job->user);
	jobs->tasks -= job->tasks;
	for (uint32_t i = 0; i < job->step_count; i++) {
		free(job->steps[i].tasks);
		free(job->steps[i].directory);
	}
	free(job->steps);
	about_free(&job->about);
	timeline_free(&job->timeline);
	series_free(&job->series);
	progress_free(&job->progress);
	oom_free(&job->ooms);
	job_gpus_free(&job->gpus);
	if (job->closing.reply_fd >= 0)
		close(job->closing.reply_fd);
	free(job);
}

static void learn_text(char **known, const char *text)
{
	if (text[0])
		set_text(known, text);
}

static void learn_number(uint32_t *known, uint32_t number)
{
	if (number != CONTROL_NONE)
		*known = number;
}

static void learn_option(struct job *job, enum control_mode mode, const char *output)
{
	job->about.mode = mode;
	set_text(&job->about.output, output);
	job->option_known = true;
}

static void learn_array(struct job_about *about, const struct control_open *open)
{
	if (!open->array_job_id || open->array_job_id == CONTROL_NONE)
		return;
	about->array_job_id = open->array_job_id;
	about->array_task_id = open->array_task_id;
}

static void learn_open(struct job *job, const struct control_message *message)
{
	const struct control_open *open = &message->open;
	bool batch = message->step_id == STEP_BATCH;
	struct job_about *about = &job->about;

	/*
	 * Take the option of the first step until the epilog tells the job's option. A later srun may have another
	 * option. An extern step has none.
	 */
	if (message->step_id != STEP_EXTERN && !job->option_known)
		learn_option(job, message->mode, open->output);
	learn_text(&about->cluster, open->cluster);
	learn_text(&about->work_dir, open->work_dir);
	learn_text(&about->node_list, open->node_list);
	job->extern_step.ends_job |= open->ends == CONTROL_ENDS_WITH_EXTERN || open->ends == CONTROL_ENDS_UNANNOUNCED;
	job->extern_step.announced |= open->ends == CONTROL_ENDS_WITH_EXTERN;
	if (batch)
		learn_array(about, open);
	/* Slurm gives each extern step the restart count of the first attempt, so ignore a lower count. */
	if (about->restart_count == CONTROL_NONE || open->restart_count > about->restart_count)
		learn_number(&about->restart_count, open->restart_count);
	if (open->umask >= 0 && open->umask <= 0777 && (batch || about->umask < 0))
		about->umask = open->umask;
	if (open->job_memory_mb)
		about->job_memory_mb = open->job_memory_mb;
}

static void learn_job_close(struct job *job, const struct control_message *message)
{
	const struct control_job_close *close = &message->job_close;
	struct job_about *about = &job->about;
	uint32_t restarts = close->restart_count;

	learn_option(job, message->mode, close->output);
	learn_text(&about->cluster, close->cluster);
	learn_text(&about->work_dir, close->work_dir);
	learn_text(&about->node_list, close->node_list);
	learn_text(&about->user, close->user);
	learn_text(&about->partition, close->partition);
	learn_text(&about->gpus, close->gpus);
	about->exit_status = close->exit_status;
	about->derived_status = close->derived_status;
	/* The epilog of a requeued job has the restart count of the next attempt. */
	if (!job->opened_ns)
		learn_number(&about->restart_count, restarts);
	else if (restarts != CONTROL_NONE && (about->restart_count == CONTROL_NONE || restarts > about->restart_count))
		job->epilogs_restarts = restarts;
	else
		job->epilogs_restarts = 0;
}

void job__learn(struct job *job, const struct control_message *message)
{
	if (message->sent_unix_ns < job->first_unix_ns)
		job->first_unix_ns = message->sent_unix_ns;
	if (message->kind == CONTROL_OPEN)
		learn_open(job, message);
	if (message->kind == CONTROL_JOB_CLOSE)
		learn_job_close(job, message);
}

struct job_step *job__step(struct job *job, uint32_t id)
{
	const struct job_step *known = job_find_step(job, id);
	struct job_step *steps;

	if (known)
		return &job->steps[known - job->steps];
	if (job->step_count >= JOB_STEPS_MAX || !array_room(&job->steps, job->step_count, sizeof(*steps))) {
		job->steps_lost++;
		return NULL;
	}
	steps = &job->steps[job->step_count++];
	memset(steps, 0, sizeof(*steps));
	steps->id = id;
	steps->memory = no_peaks;
	return steps;
}

bool job_step__is_open(const struct job_step *step)
{
	return step->directory && !step->end_ns;
}

static bool has_room_for_task(const struct jobs *jobs, const struct job *job)
{
	uint32_t all = job->tasks < JOB_TASKS_FEW ? JOBS_TASKS_MAX : JOBS_TASKS_MAX / 2;

	return job->tasks < JOB_ALL_TASKS_MAX && jobs->tasks < all;
}

bool jobs__add_task(struct jobs *jobs, struct job *job, struct job_step *step, const struct control_task *task)
{
	struct job_task *tasks;

	if (task->pid <= 0)
		return false;
	for (uint32_t i = 0; i < step->tasks_here; i++)
		if (step->tasks[i].pid == task->pid)
			return false;
	if (step->tasks_here >= JOB_TASKS_MAX || !has_room_for_task(jobs, job) ||
	    !array_room(&step->tasks, step->tasks_here, sizeof(*tasks))) {
		job->tasks_lost++;
		return false;
	}
	tasks = &step->tasks[step->tasks_here++];
	tasks->rank = task->rank;
	tasks->pid = task->pid;
	job->tasks++;
	jobs->tasks++;
	return true;
}

const char *job_step_name(uint32_t id, char text[16])
{
	switch (id) {
	case STEP_BATCH:
		return strcpy(text, "batch");
	case STEP_EXTERN:
		return strcpy(text, "extern");
	case STEP_INTERACTIVE:
		return strcpy(text, "interactive");
	}
	snprintf(text, 16, "%u", id);
	return text;
}

enum control_mode job_mode(const struct job *job, enum conf_mode by_default)
{
	static const enum control_mode modes[] = {
		[CONF_MODE_OFF] = CONTROL_MODE_OFF,
		[CONF_MODE_SUMMARY] = CONTROL_MODE_SUMMARY,
		[CONF_MODE_TIMELINE] = CONTROL_MODE_TIMELINE,
	};

	return job->about.mode == CONTROL_MODE_DEFAULT ? modes[by_default] : job->about.mode;
}
