/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A step begins to be counted: its place in the kernel's tables, and what is in its cgroup already. */
#include "collector/follow_own.h"

#include <string.h>

#include "collector/clock.h"

int follow_choose_hierarchy(struct collector *c, const struct cgroup_job *cgroup, struct error *err)
{
	if (programs__settings(c->programs)->hierarchy_id >= 0)
		return 0;
	return programs__set_hierarchy(c->programs, cgroup->hierarchy_id, cgroup->controller,
				       cgroup->memory_hierarchy_id, err);
}

int follow_make_totals(struct collector *c, const struct job *job, uint64_t key, const struct cgroup_job *cgroup,
		       bool *existed, struct error *err)
{
	/* One job must not fill the maps for all: beyond as many steps, their sums are in the job's alone. */
	bool has_room = job->step_count < JOB_STEPS_MAX;
	struct error why;

	/* Before the job's cgroup is known: the kernel programs make the totals of a step that they find without. */
	if (has_room)
		programs__add_step(c->programs, key, cgroup->step_id, &why);
	if (programs__add_job(c->programs, key, cgroup->job_id, existed, err) < 0) {
		if (!job->key) /* nothing is counted by that key */
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

/* What the kernel programs have counted, or found to have been used by processes that will be counted when they end. */
static uint64_t counted_cpu_ns(struct collector *c, uint64_t key)
{
	struct totals totals;

	return programs__totals(c->programs, key, &totals) < 0 ? 0 : totals.found_cpu_ns + totals.use[USE_CPU];
}

int follow_scan_new(struct collector *c, struct job *job, const char *path, struct error *err)
{
	uint64_t before = counted_cpu_ns(c, job->key), found;
	int64_t used;

	if (programs__scan(c->programs, err) < 0)
		return -1;
	used = cgroup_cpu_ns(&c->layout, path);
	found = counted_cpu_ns(c, job->key) - before;
	if (used > 0 && (uint64_t)used > found)
		job->before_cpu_ns += used - found;
	return 0;
}

static bool is_below(const char *path, const char *above)
{
	size_t length = strlen(above);

	return strncmp(path, above, length) == 0 && path[length] == '/';
}

/* A cgroup is one job's: one that is another's, or above or below such a one, was told of wrongly. */
static int check_owner(const struct collector *c, const struct job *job, const struct cgroup_job *cgroup,
		       struct error *err)
{
	for (const struct job *other = c->jobs.first; other; other = other->next)
		if (other != job && other->key && !other->closing &&
		    (other->cgroup.job_id == cgroup->job_id || is_below(other->cgroup.job_path, cgroup->job_path) ||
		     is_below(cgroup->job_path, other->cgroup.job_path)))
			return error_set(err, "the cgroup that it told of is of job %u", other->about.job_id);
	return 0;
}

/* One of the later cgroups of a job found no place: what runs in it is not counted. */
static void miss_step(struct job *job, const struct control_message *message, const struct error *why)
{
	char step[16];

	if (!job->key || job->late)
		return;
	job->late = true;
	snprintf(job->late_why, sizeof(job->late_why), "step %s was not counted: %.200s",
		 job_step_name(message->step_id, step), why->text);
}

int follow_count_step(struct collector *c, struct job *job, const struct cgroup_job *cgroup,
		      const struct control_message *message, struct error *err)
{
	uint64_t key = job->key ? job->key : cgroup->job_id;
	bool fresh = job->cgroup.job_id != cgroup->job_id;
	struct error why;
	bool existed;

	if (check_owner(c, job, cgroup, err) < 0 || follow_choose_hierarchy(c, cgroup, err) < 0)
		return -1;
	if (programs__learn_stepd(c->programs, message->stepd_pid, &why) < 0)
		collector_log("%s", why.text);
	if (follow_make_totals(c, job, key, cgroup, &existed, err) < 0) {
		miss_step(job, message, err);
		return -1;
	}
	if (!fresh)
		return programs__scan(c->programs, err);
	job->key = key;
	job->cgroup = *cgroup;
	job->registered_ns = clock_ns(CLOCK_BOOTTIME);
	series_begin(&job->series, job->registered_ns);
	return follow_scan_new(c, job, cgroup->job_path, err);
}
