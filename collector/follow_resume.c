/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A new stintd takes up what the last one was following, and hands over to the next. */
#include "collector/follow_own.h"

#include <stdio.h>
#include <string.h>

#include "collector/live.h"

/* An open step that an earlier stintd was counting: its cgroup is known, whether or not it is still there. */
static void resume_step(struct collector *c, const struct kept_message *kept)
{
	struct job *job = follow_find_or_add(c, &kept->message);
	bool existed = true;
	struct error err;

	if (!job)
		return;
	follow_note_step(job, &kept->message, kept->cgroup.step_id);
	if (!kept->cgroup.job_id) {
		job->no_cgroup = kept->no_cgroup;
		return;
	}
	if (!job->key)
		job->key = kept->cgroup.job_id;
	if (follow_choose_hierarchy(c, &kept->cgroup, &err) < 0 ||
	    follow_make_totals(c, job, job->key, &kept->cgroup, &existed, &err) < 0)
		collector_log("job %u: %s", kept->message.job_id, err.text);
	job->cgroup = kept->cgroup;
	job->registered_ns = kept->registered_ns;
	job->before_cpu_ns = kept->before_cpu_ns;
	job->unseen |= kept->unseen;
	if (kept->late_why[0]) {
		job->late = true;
		memcpy(job->late_why, kept->late_why, sizeof(job->late_why));
	}
	series_begin(&job->series, job->registered_ns);
	if (!existed && !job->anew) {
		const char *why;

		programs__replaced(c->programs, &why);
		job->late = job->anew = true;
		snprintf(
			job->late_why, sizeof(job->late_why),
			"the collector was started anew in mid-job and could not take over what it had counted%s%.120s",
			*why ? ": " : "", why);
	}
	if (!job->cpus[0])
		cgroup_cpus(&c->layout, job->cgroup.job_path, job->cpus, sizeof(job->cpus));
}

static void resume_one(const struct kept_message *kept, void *data)
{
	struct collector *c = data;

	bool told = kept->cgroup.job_id || kept->no_cgroup.text[0];

	/* What an earlier version kept tells no cgroup: it is looked for, as for a step that nobody has told of yet. */
	if (kept->message.kind == CONTROL_OPEN && told)
		resume_step(c, kept);
	else
		follow_message(c, &kept->message, -1);
}

static bool is_open(uint64_t key, void *data)
{
	struct collector *c = data;

	return jobs__find_key(&c->jobs, key) != NULL;
}

/*
 * Programs were replaced while the job ran. CPU time of threads that ended between the two, which nobody counted, is
 * known by the job's cgroup. It is read before the threads are: what they use meanwhile is not taken for that.
 */
static void find_unseen_cpu(struct collector *c, const struct job *job)
{
	uint64_t counted, unseen = 0;
	struct error err;

	for (int i = 0; i < 4; i++) {
		int64_t used = cgroup_cpu_ns(&c->layout, job->cgroup.job_path);

		if (used < 0 || programs__cpu_ns(c->programs, job->key, &counted, &err) < 0)
			return;
		counted += job->before_cpu_ns;
		if ((uint64_t)used > counted && used - counted > unseen)
			unseen = used - counted;
	}
	if (unseen && programs__give(c->programs, job->key, unseen, 0, &err) < 0)
		collector_log("job %u: %s", job->about.job_id, err.text);
}

/* What was taken over is counted already, what of it was not is looked for; of what is counted anew, all. */
static void resume_job(struct collector *c, struct job *job)
{
	const char *why;
	struct error err;

	if (job->anew)
		job->before_cpu_ns = 0;
	else if (!live_take(c->run_fd, job))
		job->unseen = true;
	if ((job->anew ? follow_scan_new(c, job, job->cgroup.job_path, &err) : programs__scan(c->programs, &err)) < 0)
		collector_log("job %u: %s", job->about.job_id, err.text);
	if (!job->anew && programs__replaced(c->programs, &why))
		find_unseen_cpu(c, job);
}

/* The job that a kept message is of: one that is being closed, up to its close, or the one that is open. */
static struct job *job_of_kept(struct collector *c, const struct control_message *message)
{
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->closing && job->about.job_id == message->job_id && message->sent_ns <= job->close_ns &&
		    strcmp(job->about.node, message->node) == 0)
			return job;
	return jobs__find(&c->jobs, message);
}

/* The next stintd is to know what this one has found out. */
static void keep_again(const struct kept_message *kept, void *data)
{
	struct collector *c = data;
	struct job *job = job_of_kept(c, &kept->message);
	struct kept_message fresh = *kept;
	struct error err;

	if (!job || !kept->cgroup.job_id || (!job->anew && job->unseen == kept->unseen))
		return;
	follow_fill_kept(&fresh, job);
	if (keep_write(c->run_fd, &fresh, &err) < 0)
		collector_log("job %u is not kept for a restart: %s", job->about.job_id, err.text);
}

void follow_resume(struct collector *c)
{
	keep_read_closed(c->run_fd, &c->jobs);
	keep_read(c->run_fd, resume_one, follow_bad_message, c);
	programs__forget_unknown(c->programs, is_open, c);
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->key)
			resume_job(c, job);
	keep_read(c->run_fd, keep_again, follow_bad_message, c);
	live_clear(c->run_fd);
	follow_notes(c);
}

void follow_hand_over(struct collector *c)
{
	struct error err;

	programs__drain(c->programs);
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->key && !job->writer_pid && live_write(c->run_fd, job, &err) < 0)
			collector_log("job %u: what was seen of it is lost: %s", job->about.job_id, err.text);
}
