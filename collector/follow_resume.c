/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes up the jobs that the last stintd was following, and hands them over to the next one. */
#include "collector/follow_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/host/systemd.h"
#include "collector/journal/handover.h"
#include "common/cleanup.h"
#include "common/clock.h"

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
	job->counting.registered_ns = kept->registered_ns;
	job->counting.before_cpu_ns = kept->before_cpu_ns;
	job->counting.unseen |= kept->unseen;
	job->counting.cpu_unknown |= kept->cpu_unknown;
	if (kept->late_why[0]) {
		job->counting.late = true;
		memcpy(job->counting.late_why, kept->late_why, sizeof(job->counting.late_why));
	}
	series_begin(&job->series, job->counting.registered_ns);
	if (!existed && !job->counting.anew) {
		const char *why;

		programs__replaced(c->programs, &why);
		job->counting.late = job->counting.anew = true;
		snprintf(
			job->counting.late_why, sizeof(job->counting.late_why),
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

	systemd_extend_start();
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
 * by the job's cgroup. @uncounted: as follow_uncounted() has found it
 */
static void give_unseen_cpu(struct collector *c, struct job *job, int64_t uncounted)
{
	int64_t unseen = uncounted - (int64_t)job->counting.before_cpu_ns;
	struct given given = { .cpu_ns = unseen };
	struct error err;

	if (uncounted < 0) {
		job->counting.cpu_unknown = true;
		return;
	}
	if (unseen > 0 && programs__give(c->programs, job->key, &given, &err) < 0)
		collector_log_user(job->about.uid, LOG_WARNING,
				   "job %u: the CPU time of threads that ended during the upgrade is not known: %s",
				   job->about.job_id, err.text);
}

/* Takes what the stintd before this one saw. One that was killed handed over nothing. */
static void take_live(struct collector *c, struct job *job)
{
	struct error err;
	enum live taken = handover_take(c->run_fd, job, &err);

	job->counting.unseen |= taken != LIVE_TAKEN;
	if (taken == LIVE_REFUSED)
		collector_log_user(job->about.uid, LOG_WARNING,
				   "job %u: what was seen of it before this start is lost: %s", job->about.job_id,
				   err.text);
}

/* Whether programs were replaced in mid-job, and what they had counted of @job was taken over. */
static bool was_replaced(const struct collector *c, const struct job *job)
{
	const char *why;

	return !job->counting.anew && programs__replaced(c->programs, &why);
}

/* Whether the job may have used CPU time that was not counted. @replaced: also while programs were replaced */
static bool has_uncounted(const struct collector *c, const struct job *job, bool replaced)
{
	return job->key && (job->counting.before != BEFORE_FOUND || (replaced && was_replaced(c, job)));
}

static void take_uncounted(struct collector *c, struct job *job, bool replaced, int64_t ns)
{
	if (c->starting)
		systemd_extend_start();
	if (job->counting.before != BEFORE_FOUND)
		follow_before_take(job, ns);
	if (replaced && was_replaced(c, job))
		give_unseen_cpu(c, job, ns);
}

/*
 * Finds the CPU time that was not counted, of all jobs together: a node can have a thousand jobs, and with walks over its
 * threads for each of them systemd would give stintd up before it is ready. @replaced: as for has_uncounted(). Returns
 * whether there was such a job.
 */
static bool find_uncounted(struct collector *c, bool replaced)
{
	cleanup_free struct uncounted *jobs = calloc(c->jobs.count + 1, sizeof(*jobs));
	size_t count = 0;

	for (struct job *job = c->jobs.first; job; job = job->next) {
		if (!has_uncounted(c, job, replaced))
			continue;
		if (jobs)
			jobs[count++].job = job;
		else
			take_uncounted(c, job, replaced, -1);
	}
	follow_uncounted(c, jobs, count);
	for (size_t i = 0; i < count; i++)
		take_uncounted(c, jobs[i].job, replaced, jobs[i].ns);
	return count > 0;
}

/* Takes what there was of the job up to now. Returns whether the kernel programs know the job. */
static bool resume_job(struct collector *c, struct job *job)
{
	if (!job->key)
		return false;
	systemd_extend_start();
	if (!job->counting.anew) {
		take_live(c, job);
		return true;
	}
	job->counting.before_cpu_ns = 0;
	job->counting.before = BEFORE_UNKNOWN;
	return true;
}

/*
 * Takes up all jobs that were open, or being closed. A scan then finds the threads that are not counted: a few where their
 * job's counts were taken over, else all of them. It is one for all jobs, since each job's totals are made by now. Only
 * after it is a job's CPU time either counted or to be found by find_uncounted().
 */
static void resume_jobs(struct collector *c)
{
	bool any = false;

	for (struct job *job = c->jobs.first; job; job = job->next)
		any |= resume_job(c, job);
	if (any)
		follow_scan(c);
	find_uncounted(c, true);
}

/* The job of a message in the journal: one that is being closed, for messages up to its close; else the open one. */
static struct job *job_of_kept(struct collector *c, const struct control_message *message)
{
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->phase != JOB_OPEN && job->about.job_id == message->job_id && message->sent_ns <= job->closing.close_ns &&
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
	    (!job->counting.anew && job->counting.unseen == kept->unseen && job->counting.cpu_unknown == kept->cpu_unknown &&
	     job->counting.before_cpu_ns == kept->before_cpu_ns))
		return;
	follow_fill_kept(&fresh, job);
	if (journal_write(c->run_fd, &fresh, &err) < 0)
		collector_log_user(job->about.uid, LOG_WARNING, "job %u is not kept for a restart: %s",
				   job->about.job_id, err.text);
}

bool follow_find_waiting(struct collector *c)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (!c->before_wanted || follow_before_is_early(c))
		return c->before_wanted;
	c->before_wanted = false;
	if (find_uncounted(c, false))
		journal_read(c->run_fd, keep_again, follow_bad_message, c);
	follow_before_pay(c, began);
	return false;
}

/* Takes the messages that came while there was no stintd. */
static void resume_notes(struct collector *c)
{
	follow_notes(c);
	if (find_uncounted(c, false))
		journal_read(c->run_fd, keep_again, follow_bad_message, c);
}

void follow_resume(struct collector *c)
{
	struct error err;

	if (journal_read_closed(c->run_fd, &c->jobs, &err) < 0)
		collector_log(LOG_WARNING, "which jobs were closed last is not known: %s", err.text);
	c->starting = c->resuming = true;
	journal_read(c->run_fd, resume_one, follow_bad_message, c);
	c->resuming = false;
	programs__forget_unknown(c->programs, is_open, c);
	resume_jobs(c);
	journal_read(c->run_fd, keep_again, follow_bad_message, c);
	handover_clear(c->run_fd);
	resume_notes(c);
	c->starting = false;
}

void follow_hand_over(struct collector *c)
{
	struct error err;

	programs__drain(c->programs);
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->key && job->phase != JOB_BUILDING && handover_write(c->run_fd, job, &err) < 0)
			collector_log_user(job->about.uid, LOG_WARNING, "job %u: what was seen of it is lost: %s",
					   job->about.job_id, err.text);
}
