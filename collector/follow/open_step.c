/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/open_step.h"

#include <stdio.h>
#include <string.h>

#include "collector/follow/admit.h"
#include "collector/follow/before.h"
#include "collector/follow/count_step.h"
#include "collector/follow/keep.h"
#include "collector/reply.h"
#include "collector/sample.h"

/* Stops counting a job because one of its steps has --stint=off. */
static void stop_counting(struct collector *c, struct job *job)
{
	if (job->key)
		programs__forget(c->programs, job->key);
	memset(&job->cgroup, 0, sizeof(job->cgroup));
	job->key = 0;
	job->off = true;
}

/*
 * Marks a job as found late if a step ran uncounted. The plugin delays the step until stintd answers, up to
 * CONTROL_OPEN_WAIT_MS. If no stintd ran (@noted), there was no delay.
 */
static void judge_late(struct job *job, const struct control_message *message, bool noted)
{
	uint64_t due = message->sent_ns + (noted ? 0 : CONTROL_OPEN_WAIT_MS * 1000000ull);
	char step[16];

	if (job->counting.late || job_is_extern(message) || job->counting.registered_ns <= due)
		return;
	job->counting.late = true;
	snprintf(
		job->counting.late_why, sizeof(job->counting.late_why),
		"collection began %.1f s after step %s: what had ended by then is missing from the step's processes and tools",
		(job->counting.registered_ns - message->sent_ns) / 1e9, job_step_name(message->step_id, step));
}

struct job_step *open_note_step(struct jobs *jobs, struct job *job, const struct control_message *message,
				const struct cgroup_job *cgroup)
{
	struct job_step *step = job__step(job, message->step_id);

	if (!job->opened_ns) {
		job->opened_ns = message->sent_ns;
		job->opened_unix_ns = message->sent_unix_ns;
	}
	if (!step)
		return NULL;
	step->cgroup = cgroup->step_id;
	step->stepd_pid = message->open.task.stepd_pid;
	step->stepd_start_ns = cgroup->stepd_start_ns;
	if (cgroup->memory_step_id && !step->directory)
		step->directory = strdup(cgroup->step_name);
	if (!step->start_ns)
		step->start_ns = message->sent_ns;
	step->nodes = message->open.step_nodes;
	step->task_count = message->open.step_tasks;
	if (!job_is_extern(message))
		jobs__add_task(jobs, job, step, &message->open.task);
	return step;
}

/* Reads the CPUs and the memory at the begin. @step: NULL: the job has too many steps */
static void look_first(struct collector *c, struct job *job, struct job_step *step)
{
	struct cgroup_memory memory;

	if (!job->cpus[0])
		cgroup_cpus(&c->layout, job->cgroup.job_path, job->cpus, sizeof(job->cpus));
	sample_memory(c, job, &memory);
	if (step && job_step__is_open(step))
		sample_step(c, job, step);
}

void open_step(struct collector *c, const struct control_message *message, int reply_fd)
{
	const struct control_task *task = &message->open.task;
	struct job *job = admit_job(c, message);
	static const struct cgroup_job none;
	const struct cgroup_step processes = { .stepd_pid = task->stepd_pid, .task_pid = task->pid, .seen_ns = message->sent_ns };
	struct cgroup_job cgroup = {};
	struct job_step *step;
	struct error err = { ADMIT_NO_ROOM };
	int status = -1;

	if (!job) {
		reply_send(reply_fd, message->kind, -1, err.text);
		return;
	}
	if (job_mode(job, c->conf.mode) == CONTROL_MODE_OFF) {
		stop_counting(c, job);
		reply_send(reply_fd, message->kind, 0, "");
		return;
	}
	job->off = false;
	if (cgroup_find(&c->layout, &processes, programs__settings(c->programs)->hierarchy_id, &cgroup, &err) == 0)
		status = count_step(c, job, &cgroup, message, &err);
	if (status < 0 && !job->key)
		job->no_cgroup = err;
	step = open_note_step(&c->jobs, job, message, status == 0 ? &cgroup : &none);
	judge_late(job, message, reply_fd < 0);
	/* Save first: once the plugin has an answer, it leaves no note. */
	keep_message(c, job, message, status == 0 ? &cgroup : NULL);
	reply_send(reply_fd, message->kind, status, err.text);
	/* Without a pid, no step ran: Slurm could not start the script. */
	if (status < 0 && task->pid)
		collector_log_user(message->uid, LOG_WARNING, "job %u: one of its steps is not counted: %s",
				   message->job_id, err.text);
	if (job->counting.before != BEFORE_FOUND && !c->starting && before_find(c, job))
		keep_message(c, job, message, status == 0 ? &cgroup : NULL);
	look_first(c, job, step);
}

void open_add_task(struct collector *c, const struct control_message *message)
{
	struct job *job = jobs__find(&c->jobs, message);
	struct job_step *step = job ? job__step(job, message->step_id) : NULL;

	if (!step)
		return;
	if (jobs__add_task(&c->jobs, job, step, &message->task))
		keep_later(c, step, message);
}
