/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow_own.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collector/budget.h"
#include "collector/clock.h"
#include "collector/close.h"
#include "collector/sample.h"

#define KEPT_STEPS_MAX 256 /* of a job: a new stintd knows the others by their totals alone */
#define JOBS_MAX 4096 /* open at a time: a node never has as many, and what each takes here is bounded */
#define WRITERS_MAX 32 /* reports in the making at a time */
#define ENDING_MAX_NS \
	500000000ull /* how long the last processes may take to go, once Slurm says that the job is over */

static bool is_extern(const struct control_message *message)
{
	return message->step_id == JOB_STEP_EXTERN;
}

enum control_mode follow_mode(const struct collector *c, const struct job *job)
{
	static const enum control_mode by_conf[] = {
		[CONF_MODE_OFF] = CONTROL_MODE_OFF,
		[CONF_MODE_SUMMARY] = CONTROL_MODE_SUMMARY,
		[CONF_MODE_TIMELINE] = CONTROL_MODE_TIMELINE,
	};

	return job->about.mode == CONTROL_MODE_DEFAULT ? by_conf[c->conf.mode] : job->about.mode;
}

/*
 * Stops counting a job whose step says --stint=off. It is remembered: should its
 * epilog say otherwise, the report tells why there is nothing in it.
 */
static void stop_counting(struct collector *c, struct job *job)
{
	if (job->key)
		programs__forget(c->programs, job->key);
	memset(&job->cgroup, 0, sizeof(job->cgroup));
	job->key = 0;
	job->off = true;
}

/*
 * The plugin waits CONTROL_OPEN_WAIT_MS for a step to be counted, and not at all when stintd was away (@noted) or
 * died meanwhile. A step of a job that was not counted yet by then ran uncounted for a while.
 */
static void judge_late(struct job *job, const struct control_message *message, bool noted)
{
	uint64_t due = message->sent_ns + (noted ? 0 : CONTROL_OPEN_WAIT_MS * 1000000ull);
	char step[16];

	if (job->late || is_extern(message) || job->registered_ns <= due)
		return;
	job->late = true;
	snprintf(
		job->late_why, sizeof(job->late_why),
		"collection began %.1f s after step %s did; what had ended by then is not among its processes and tools",
		(job->registered_ns - message->sent_ns) / 1e9, job_step_name(message->step_id, step));
}

/* What the next stintd is to know of @job itself. */
void follow_fill_kept(struct kept_message *kept, const struct job *job)
{
	kept->registered_ns = job->registered_ns;
	kept->before_cpu_ns = job->before_cpu_ns;
	kept->unseen = job->unseen;
	if (job->late)
		memcpy(kept->late_why, job->late_why, sizeof(kept->late_why));
}

static void keep(struct collector *c, const struct job *job, const struct control_message *message,
		 const struct cgroup_job *cgroup)
{
	struct kept_message kept = { .message = *message };
	struct error err;

	if (job->step_count > KEPT_STEPS_MAX)
		return;
	if (cgroup)
		kept.cgroup = *cgroup;
	else
		kept.no_cgroup = job->no_cgroup;
	follow_fill_kept(&kept, job);
	if (keep_write(c->run_fd, &kept, &err) < 0)
		collector_log("job %u is not kept for a restart: %s", message->job_id, err.text);
}

void follow_note_step(struct job *job, const struct control_message *message, uint64_t cgroup)
{
	struct job_step *step = job__step(job, message->step_id);

	if (!job->opened_ns) {
		job->opened_ns = message->sent_ns;
		job->opened_unix_ns = message->sent_unix_ns;
	}
	if (!step)
		return;
	step->cgroup = cgroup;
	if (!step->start_ns)
		step->start_ns = message->sent_ns;
	step->nodes = message->step_nodes;
	step->task_count = message->step_tasks;
	if (!is_extern(message))
		job_step__add_task(step, message->task_rank, message->task_pid);
}

#define NO_ROOM "stintd has no room for one more job; its log says why"

struct job *follow_find_or_add(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);

	if (!job && c->jobs.count >= JOBS_MAX) {
		collector_log("job %u is not taken in: %d jobs are open", message->job_id, c->jobs.count);
		return NULL;
	}
	if (!job)
		job = jobs__add(&c->jobs, message);
	if (job)
		job__learn(job, message);
	else
		collector_log("job %u: out of memory", message->job_id);
	return job;
}

static void open_step(struct collector *c, const struct control_message *message, int reply_fd)
{
	struct job *job = follow_find_or_add(c, message);
	struct cgroup_job cgroup = {};
	struct cgroup_memory memory;
	struct error err = { NO_ROOM };
	int status = -1;

	if (!job) {
		close_reply(reply_fd, message->kind, -1, err.text);
		return;
	}
	if (follow_mode(c, job) == CONTROL_MODE_OFF) {
		stop_counting(c, job);
		close_reply(reply_fd, message->kind, 0, "");
		return;
	}
	job->off = false;
	if (cgroup_find(&c->layout, message->stepd_pid, message->task_pid, message->sent_ns,
			programs__settings(c->programs)->hierarchy_id, &cgroup, &err) == 0)
		status = follow_count_step(c, job, &cgroup, message, &err);
	if (status < 0 && !job->key)
		job->no_cgroup = err;
	follow_note_step(job, message, status == 0 ? cgroup.step_id : 0);
	judge_late(job, message, reply_fd < 0);
	/* Kept first: who has an answer tells it to no later stintd. The rest of the work can wait. */
	keep(c, job, message, status == 0 ? &cgroup : NULL);
	close_reply(reply_fd, message->kind, status, err.text);
	if (status < 0)
		collector_log("job %u: %s", message->job_id, err.text);
	if (!job->cpus[0])
		cgroup_cpus(&c->layout, job->cgroup.job_path, job->cpus, sizeof(job->cpus));
	sample_memory(c, job, &memory);
}

static void add_task(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);
	struct job_step *step = job ? job__step(job, message->step_id) : NULL;

	if (!step)
		return;
	job_step__add_task(step, message->task_rank, message->task_pid);
	if (step->tasks_here <= KEPT_STEPS_MAX)
		keep(c, job, message, NULL);
}

static void close_step(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);
	struct job_step *step = job ? job__step(job, message->step_id) : NULL;

	if (!step)
		return;
	job__learn(job, message);
	step->end_ns = message->sent_ns;
	step->exit_status = message->exit_status;
	keep(c, job, message, NULL);
}

/*
 * The job has left the node. One that opened nothing here gets its record too:
 * an allocation in which no step ran.
 */
static void close_job(struct collector *c, const struct control_message *message, int reply_fd)
{
	struct job *job = follow_find_or_add(c, message);
	struct error err;

	if (!job) {
		close_reply(reply_fd, message->kind, -1, NO_ROOM);
		return;
	}
	/* Kept first: once it is known to be closed, the plugin's note of the same is not read. */
	if (follow_mode(c, job) != CONTROL_MODE_OFF)
		keep(c, job, message, NULL);
	jobs__note_closed(&c->jobs, message);
	if (keep_write_closed(c->run_fd, &c->jobs, &err) < 0)
		collector_log("%s", err.text);
	if (follow_mode(c, job) == CONTROL_MODE_OFF) {
		close_forget(c, job);
		close_reply(reply_fd, message->kind, 0, "");
		return;
	}
	job->about.mode = follow_mode(c, job);
	job->closing = true;
	job->close_ns = message->sent_ns;
	job->reply_fd = reply_fd;
}

void follow_message(struct collector *c, const struct control_message *message, int reply_fd)
{
	switch (message->kind) {
	case CONTROL_OPEN:
		open_step(c, message, reply_fd);
		return;
	case CONTROL_TASK:
		add_task(c, message);
		break;
	case CONTROL_STEP_CLOSE:
		close_step(c, message);
		break;
	case CONTROL_JOB_CLOSE:
		close_job(c, message, reply_fd);
		return;
	}
	close_reply(reply_fd, message->kind, 0, "");
}

void follow_bad_message(const char *name, void *data)
{
	(void)data;
	collector_log("a kept message is damaged and was removed: %s", name);
}

static void take_note(const struct control_message *message, void *data)
{
	struct collector *c = data;

	if (!jobs__was_closed(&c->jobs, message))
		follow_message(c, message, -1);
}

void follow_notes(struct collector *c)
{
	keep_take_notes(c->run_fd, take_note, follow_bad_message, c);
}

/* Of one whose job the kernel programs could not tell, its end does. */
static void take_victim(struct collector *c, const struct event *event)
{
	struct job *job = event->job ? jobs__find_key(&c->jobs, event->job) : NULL;

	if (job)
		oom_add(&job->ooms, event);
	else if (!event->job)
		oom_wait(&c->oom_waiting, event->pid, event->end_ns);
}

static void take_image(struct collector *c, const struct event *event)
{
	struct job *job = jobs__find_key(&c->jobs, event->job);
	struct event victim;

	if (!job)
		return;
	timeline_add(&job->timeline, event, budget_timeline(&c->jobs, job, c->conf.timeline_entries));
	progress_image_ended(&job->progress, event, c->conf.stall_s * 1000000000ull);
	if (oom_was_victim(&c->oom_waiting, event, &victim))
		oom_add_uncounted(&job->ooms, &victim);
}

void follow_event(const struct event *event, void *data)
{
	struct collector *c = data;
	struct error err;

	switch (event->kind) {
	case EVENT_SCAN:
		if (programs__scan(c->programs, &err) < 0)
			collector_log("%s", err.text);
		break;
	case EVENT_OOM:
		take_victim(c, event);
		break;
	case EVENT_IMAGE:
		take_image(c, event);
		break;
	}
}

static void start_close(struct collector *c, struct job *job)
{
	struct error err;

	programs__drain(c->programs);
	if (close_start(c, job, &err) == 0)
		return;
	collector_log("job %u: its report cannot be written: %s", job->about.job_id, err.text);
	close_reply(job->reply_fd, CONTROL_JOB_CLOSE, -1, err.text);
	job->reply_fd = -1;
	close_forget(c, job);
}

static bool has_ended(struct collector *c, const struct job *job)
{
	struct totals totals;

	if (!job->key || clock_ns(CLOCK_BOOTTIME) > job->close_ns + ENDING_MAX_NS)
		return true;
	return programs__totals(c->programs, job->key, &totals) < 0 || totals.live == 0;
}

static int count_writers(const struct collector *c)
{
	int count = 0;

	for (const struct job *job = c->jobs.first; job; job = job->next)
		count += job->writer_pid != 0;
	return count;
}

bool follow_tick(struct collector *c, bool sample)
{
	struct job *job, *next;
	int writers = count_writers(c);
	bool waiting = false;

	for (job = c->jobs.first; job; job = next) {
		next = job->next;
		if (!job->closing || job->writer_pid ||
		    (job->next_try_ns && clock_ns(CLOCK_BOOTTIME) < job->next_try_ns))
			continue;
		if (writers < WRITERS_MAX && has_ended(c, job)) {
			start_close(c, job);
			writers++;
		} else {
			waiting = true;
		}
	}
	if (sample)
		sample_jobs(c);
	return waiting;
}
