/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/resume.h"

#include <stdio.h>
#include <string.h>

#include "collector/follow/admit.h"
#include "collector/follow/before.h"
#include "collector/follow/count_step.h"
#include "collector/follow/follow.h"
#include "collector/follow/keep.h"
#include "collector/follow/open_step.h"
#include "collector/follow/scan_threads.h"
#include "collector/host/systemd.h"
#include "collector/journal/handover.h"

/* Restores an open step that an earlier stintd counted. Its cgroup may be gone. */
static void resume_step(struct collector *c, const struct journal_message *kept)
{
	struct job *job = admit_job(c, &kept->message);
	bool existed = true;
	struct error err;

	if (!job)
		return;
	open_note_step(&c->jobs, job, &kept->message, &kept->cgroup);
	if (!kept->cgroup.job_id) {
		job->no_cgroup = kept->no_cgroup;
		return;
	}
	if (!job->key)
		job->key = kept->cgroup.job_id;
	if (count_choose_hierarchy(c, &kept->cgroup, &err) < 0 ||
	    count_make_totals(c, job, job->key, &kept->cgroup, &existed, &err) < 0)
		collector_log_user(kept->message.uid, LOG_ERR, "job %u: stintd cannot take over its counts: %s",
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
			"the collector was restarted during the job, and could not take over what it had counted before%s%.120s",
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
	/* A journal of an earlier version does not say if the cgroup was found. Treat the step as new. */
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

/* Restores the job's handover. A killed stintd wrote none. */
static void take_live(struct collector *c, struct job *job)
{
	struct error err;
	enum live taken = handover_take(c->run_fd, job, &err);

	job->counting.unseen |= taken != LIVE_TAKEN;
	if (taken == LIVE_REFUSED)
		collector_log_user(job->about.uid, LOG_WARNING,
				   "job %u: what stintd had counted of it before this start is lost: %s", job->about.job_id,
				   err.text);
}

/* Returns true if the kernel programs know @job. */
static bool resume_job(struct collector *c, struct job *job)
{
	job->part.older = true;
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

/* Restores all jobs, then scans once for uncounted threads. Call before_find_all() afterwards. */
static void resume_jobs(struct collector *c)
{
	bool any = false;

	for (struct job *job = c->jobs.first; job; job = job->next)
		any |= resume_job(c, job);
	if (any)
		scan_threads(c);
	before_find_all(c, true);
}

static void resume_notes(struct collector *c)
{
	follow_notes(c);
	if (before_find_all(c, false))
		keep_found(c);
}

void resume_all(struct collector *c)
{
	struct error err;

	if (journal_read_closed(c->run_fd, &c->jobs, &err) < 0)
		collector_log(LOG_WARNING, "the list of recently closed jobs is lost: %s", err.text);
	c->starting = c->resuming = true;
	journal_read(c->run_fd, resume_one, admit_bad_message, c);
	c->resuming = false;
	programs__forget_unknown(c->programs, is_open, c);
	resume_jobs(c);
	keep_found(c);
	handover_clear(c->run_fd);
	resume_notes(c);
	c->starting = false;
}

void resume_hand_over(struct collector *c)
{
	struct error err;

	programs__drain(c->programs);
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->key && job->phase != JOB_BUILDING && handover_write(c->run_fd, job, &err) < 0)
			collector_log_user(job->about.uid, LOG_WARNING, "job %u: what stintd had counted of it is lost: %s",
					   job->about.job_id, err.text);
}
