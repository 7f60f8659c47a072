/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes up the jobs that the last stintd was following, and hands them over to the next one. */
#include "collector/follow_internal.h"

#include <stdio.h>
#include <string.h>

#include "collector/journal/handover.h"

/* Takes up an open step that an earlier stintd was counting. Its cgroup is known, also where it is gone by now. */
static void resume_step(struct collector *c, const struct journal_message *kept)
{
	struct job *job = follow_find_or_add(c, &kept->message);
	bool existed = true;
	struct error err;

	if (!job)
		return;
	follow_note_step(&c->jobs, job, &kept->message, &kept->cgroup);
	if (!kept->cgroup.job_id) {
		job->no_cgroup = kept->no_cgroup;
		return;
	}
	if (!job->key)
		job->key = kept->cgroup.job_id;
	if (follow_choose_hierarchy(c, &kept->cgroup, &err) < 0 ||
	    follow_make_totals(c, job, job->key, &kept->cgroup, &existed, &err) < 0)
		collector_log_user(kept->message.uid, LOG_ERR, "job %u: its counts cannot be taken over: %s",
				   kept->message.job_id, err.text);
	job->cgroup = kept->cgroup;
	job->registered_ns = kept->registered_ns;
	job->before_cpu_ns = kept->before_cpu_ns;
	job->unseen |= kept->unseen;
	job->cpu_unknown |= kept->cpu_unknown;
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

static void resume_one(const struct journal_message *kept, void *data)
{
	struct collector *c = data;

	bool resolved = kept->cgroup.job_id || kept->no_cgroup.text[0];

	/* The journal of an earlier version names no cgroup: it is looked for, as for a step that begins. */
	if (kept->message.kind == CONTROL_OPEN && resolved)
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
 * Programs were replaced while the job ran. The CPU time of threads that ended in between was not counted: it is known
 * by the job's cgroup.
 */
static void find_unseen_cpu(struct collector *c, struct job *job)
{
	int64_t unseen;
	struct error err;

	if (follow_uncounted(c, job, &unseen) < 0) {
		job->cpu_unknown = true;
		return;
	}
	unseen -= job->before_cpu_ns;
	if (unseen > 0 && programs__give(c->programs, job->key, unseen, 0, &err) < 0)
		collector_log_user(job->about.uid, LOG_WARNING,
				   "job %u: the CPU time of threads that ended during the upgrade is not known: %s",
				   job->about.job_id, err.text);
}

/* Takes what the stintd before this one saw. One that was killed handed over nothing. */
static void take_live(struct collector *c, struct job *job)
{
	struct error err;
	enum live taken = handover_take(c->run_fd, job, &err);

	job->unseen |= taken != LIVE_TAKEN;
	if (taken == LIVE_REFUSED)
		collector_log_user(job->about.uid, LOG_WARNING,
				   "job %u: what was seen of it before this start is lost: %s", job->about.job_id,
				   err.text);
}

/* Scans for threads of the job that are not counted: a few where its counts were taken over, else all of them. */
static void resume_job(struct collector *c, struct job *job)
{
	const char *why;
	struct error err;

	if (!job->anew)
		take_live(c, job);
	if (programs__scan(c->programs, &err) < 0)
		collector_log_user(job->about.uid, LOG_WARNING, "job %u: its threads could not be looked for: %s",
				   job->about.job_id, err.text);
	if (job->anew) {
		job->before_cpu_ns = 0;
		job->before = BEFORE_UNKNOWN;
		follow_before_find(c, job);
	}
	if (!job->anew && programs__replaced(c->programs, &why))
		find_unseen_cpu(c, job);
}

/* The job of a message in the journal: one that is being closed, for messages up to its close; else the open one. */
static struct job *job_of_kept(struct collector *c, const struct control_message *message)
{
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->closing && job->about.job_id == message->job_id && message->sent_ns <= job->close_ns &&
		    strcmp(job->about.node, message->node) == 0)
			return job;
	return jobs__find(&c->jobs, message);
}

/* Writes a message to the journal again, so that the next stintd knows what this one has found. */
static void keep_again(const struct journal_message *kept, void *data)
{
	struct collector *c = data;
	struct job *job = job_of_kept(c, &kept->message);
	struct journal_message fresh = *kept;
	struct error err;

	if (!job || !kept->cgroup.job_id ||
	    (!job->anew && job->unseen == kept->unseen && job->cpu_unknown == kept->cpu_unknown))
		return;
	follow_fill_kept(&fresh, job);
	if (journal_write(c->run_fd, &fresh, &err) < 0)
		collector_log_user(job->about.uid, LOG_WARNING, "job %u is not kept for a restart: %s",
				   job->about.job_id, err.text);
}

void follow_resume(struct collector *c)
{
	struct error err;

	if (journal_read_closed(c->run_fd, &c->jobs, &err) < 0)
		collector_log(LOG_WARNING, "which jobs were closed last is not known: %s", err.text);
	c->resuming = true;
	journal_read(c->run_fd, resume_one, follow_bad_message, c);
	c->resuming = false;
	programs__forget_unknown(c->programs, is_open, c);
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->key)
			resume_job(c, job);
	journal_read(c->run_fd, keep_again, follow_bad_message, c);
	handover_clear(c->run_fd);
	follow_notes(c);
}

void follow_hand_over(struct collector *c)
{
	struct error err;

	programs__drain(c->programs);
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->key && !job->writer_pid && handover_write(c->run_fd, job, &err) < 0)
			collector_log_user(job->about.uid, LOG_WARNING, "job %u: what was seen of it is lost: %s",
					   job->about.job_id, err.text);
}
