/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/count_step.h"

#include <stdio.h>
#include <string.h>

#include "collector/follow/before.h"
#include "collector/follow/scan_threads.h"
#include "collector/share_tables.h"
#include "common/clock.h"

int count_choose_hierarchy(struct collector *c, const struct cgroup_job *cgroup, struct error *err)
{
	if (programs__settings(c->programs)->hierarchy_id >= 0)
		return 0;
	return programs__set_hierarchy(c->programs, cgroup->hierarchy_id, cgroup->controller,
				       cgroup->memory_hierarchy_id, err);
}

int count_make_totals(struct collector *c, const struct job *job, uint64_t key, const struct cgroup_job *cgroup,
		       bool *existed, struct error *err)
{
	/* A job may use only its share of the map. Steps above the share are counted only in the job's sums. */
	bool has_room = job->step_count < programs__steps_share(c->programs, job->about.uid);
	struct error why;

	/* Add the step before the job: the kernel programs make missing entries for steps of known jobs. */
	if (has_room)
		programs__add_step(c->programs, key, cgroup->step_id, &why);
	if (programs__add_job(c->programs, key, job->about.uid, cgroup->job_id, existed, err) < 0) {
		if (!job->key) /* nothing was counted for this key */
			programs__forget(c->programs, key);
		return -1;
	}
	if (!cgroup->memory_job_id)
		return 0;
	programs__add_memory(c->programs, cgroup->memory_job_id, key, key, &why);
	if (has_room)
		programs__add_memory(c->programs, cgroup->memory_step_id, key, cgroup->step_id, &why);
	return 0;
}

/* Marks a job that an earlier stintd counted, but whose journal this version cannot read. */
static void note_counted(struct job *job)
{
	job->counting.unseen = job->counting.late = true;
	job->counting.before = BEFORE_UNKNOWN;
	snprintf(job->counting.late_why, sizeof(job->counting.late_why),
		 "another version replaced the collector during the job, and could not read what the former version had kept of the "
		 "job");
}

static bool is_below(const char *path, const char *above)
{
	size_t length = strlen(above);

	return strncmp(path, above, length) == 0 && path[length] == '/';
}

/* Refuses a cgroup that overlaps with another job's cgroup. Returns 0; -1 with @err set. */
static int check_owner(const struct collector *c, const struct job *job, const struct cgroup_job *cgroup,
		       struct error *err)
{
	for (const struct job *other = c->jobs.first; other; other = other->next)
		if (other != job && other->key && other->phase == JOB_OPEN &&
		    (other->cgroup.job_id == cgroup->job_id || is_below(other->cgroup.job_path, cgroup->job_path) ||
		     is_below(cgroup->job_path, other->cgroup.job_path)))
			return error_set(err, "the named cgroup belongs to job %u", other->about.job_id);
	return 0;
}

/* Marks a job as found late, because the cgroup of a later step is not counted. */
static void miss_step(struct job *job, const struct control_message *message, const struct error *why)
{
	char step[16];

	if (!job->key || job->counting.late)
		return;
	job->counting.late = true;
	snprintf(job->counting.late_why, sizeof(job->counting.late_why), "step %s was not counted: %.200s",
		 job_step_name(message->step_id, step), why->text);
}

/*
 * Removes the former cgroup from the maps if the new cgroup has the same path. Without an extern step, Slurm makes a
 * new cgroup for each step, and these cgroups must not fill the maps.
 */
static void forget_former(struct collector *c, const struct job *job, const struct cgroup_job *now)
{
	const struct cgroup_job *former = &job->cgroup;

	if (!job->key || !former->job_id || strcmp(former->job_path, now->job_path) != 0)
		return;
	programs__forget_cgroup(c->programs, former->job_id,
				former->memory_job_id != now->memory_job_id ? former->memory_job_id : 0);
}

int count_step(struct collector *c, struct job *job, const struct cgroup_job *cgroup,
		      const struct control_message *message, struct error *err)
{
	bool known = job->key != 0;
	uint64_t key = known ? job->key : cgroup->job_id;
	bool fresh = job->cgroup.job_id != cgroup->job_id;
	struct before before;
	struct error why;
	bool existed;

	if (check_owner(c, job, cgroup, err) < 0 || count_choose_hierarchy(c, cgroup, err) < 0)
		return -1;
	if (programs__learn_stepd(c->programs, message->open.task.stepd_pid, &why) < 0)
		collector_log_user(message->uid, LOG_WARNING,
				   "job %u: its slurmstepd cannot be distinguished from the user's processes: %s",
				   message->job_id, why.text);
	/* A new job makes the shares of other jobs smaller. Set the shares before the job is counted. */
	if (!known)
		share_tables(c, job);
	if (fresh)
		before_begin(c, job, key, cgroup->job_path, &before);
	if (count_make_totals(c, job, key, cgroup, &existed, err) < 0) {
		miss_step(job, message, err);
		return -1;
	}
	/* The kernel programs count everything in a known cgroup. A walk would only check this, so it can wait. */
	if (!fresh) {
		scan_make_sure(c);
		return 0;
	}
	forget_former(c, job, cgroup);
	job->key = key;
	job->cgroup = *cgroup;
	job->counting.registered_ns = clock_ns(CLOCK_BOOTTIME);
	series_begin(&job->series, job->counting.registered_ns);
	if (programs__scan_cgroup(c->programs, &c->layout, cgroup, err) < 0)
		return -1;
	if (existed && !known)
		note_counted(job);
	else
		before_scanned(c, job, cgroup->job_path, &before);
	return 0;
}
