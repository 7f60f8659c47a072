/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU time that a job's cgroup had used before its threads were counted: by processes that are gone, and by Slurm's
 * own. At any one moment it is what the cgroup has used, less all that is counted. Threads that run between reading the
 * two make it seem less, and never more. So the largest of several results is the best.
 */
#include "collector/follow_internal.h"

#define BEFORE_TRIES 4
#define BEFORE_NEAR_NS 500000 /* less CPU time than this between two looks does not matter */

void follow_before_begin(struct collector *c, uint64_t key, const char *path, struct before *before)
{
	struct totals totals = {};

	programs__totals(c->programs, key, &totals);
	before->counted_ns = totals.use[USE_CPU];
	before->found_ns = totals.found_cpu_ns;
	before->used_ns = cgroup_cpu_ns(&c->layout, path);
}

void follow_before_scanned(struct collector *c, struct job *job, const char *path, const struct before *before)
{
	struct totals totals;
	int64_t used, uncounted;

	job->before_base_ns = job->before_cpu_ns + before->counted_ns;
	if (before->used_ns < 0 || programs__totals(c->programs, job->key, &totals) < 0)
		return;
	uncounted = before->used_ns - (int64_t)(totals.found_cpu_ns - before->found_ns);
	if (uncounted > 0)
		job->before_cpu_ns += uncounted;
	used = cgroup_cpu_ns(&c->layout, path);
	job->before = used - before->used_ns > BEFORE_NEAR_NS ? BEFORE_ROUGH : BEFORE_FOUND;
}

int follow_uncounted(struct collector *c, const struct job *job, int64_t *ns)
{
	const char *path = job->cgroup.job_path;

	*ns = 0;
	for (int i = 0; i < BEFORE_TRIES; i++) {
		int64_t used = cgroup_cpu_ns(&c->layout, path), uncounted;
		struct error why;
		uint64_t counted;

		if (used < 0)
			break;
		if (programs__cpu_ns(c->programs, job->key, &counted, &why) < 0)
			return -1;
		uncounted = used + (int64_t)(job->before_base_ns - counted);
		if (uncounted > *ns)
			*ns = uncounted;
		if (cgroup_cpu_ns(&c->layout, path) - used <= BEFORE_NEAR_NS)
			break;
	}
	return 0;
}

void follow_before_find(struct collector *c, struct job *job)
{
	int64_t before;

	if (follow_uncounted(c, job, &before) < 0)
		job->cpu_unknown |= job->before == BEFORE_UNKNOWN;
	else if (before > (int64_t)job->before_cpu_ns)
		job->before_cpu_ns = before;
	job->before = BEFORE_FOUND;
}
