/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU time that a job's cgroup had used before its threads were counted: by processes that are gone, and by Slurm's
 * own. At any one moment it is what the cgroup has used, less all that is counted. Threads that run between reading the
 * two make it seem less, and never more. So the largest of several results is the best.
 */
#include "collector/follow_internal.h"

#include <stdlib.h>

#include "common/cleanup.h"
#include "common/clock.h"

#define BEFORE_TRIES 4
#define BEFORE_TIME_SHARE 10 /* walks take a tenth of the time */
#define BEFORE_BURST_NS 200000000ull /* how far they may be ahead of that: on most nodes, ten jobs at once */
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

	job->counting.before_base_ns = job->counting.before_cpu_ns + before->counted_ns;
	if (before->used_ns < 0 || programs__totals(c->programs, job->key, &totals) < 0)
		return;
	uncounted = before->used_ns - (int64_t)(totals.found_cpu_ns - before->found_ns);
	if (uncounted > 0)
		job->counting.before_cpu_ns += uncounted;
	used = cgroup_cpu_ns(&c->layout, path);
	job->counting.before = used - before->used_ns > BEFORE_NEAR_NS ? BEFORE_ROUGH : BEFORE_FOUND;
}

/* Reads what each job's cgroup has used, before a walk. A cgroup that is gone says no more. */
static void read_before(struct collector *c, struct uncounted *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (jobs[i].done)
			continue;
		jobs[i].used_ns = cgroup_cpu_ns(&c->layout, jobs[i].job->cgroup.job_path);
		jobs[i].done = jobs[i].used_ns < 0;
	}
}

/* Compares that with what a walk has found. Returns whether one more walk can find more of some job. */
static bool compare(struct collector *c, struct uncounted *jobs, const struct job_cpu *counted, size_t count)
{
	bool more = false;

	for (size_t i = 0; i < count; i++) {
		struct uncounted *of = &jobs[i];
		int64_t ns = of->used_ns + (int64_t)(of->job->counting.before_base_ns - counted[i].ns);

		if (of->done)
			continue;
		if (!counted[i].known)
			of->ns = -1;
		else if (ns > of->ns)
			of->ns = ns;
		of->done = !counted[i].known ||
			   cgroup_cpu_ns(&c->layout, of->job->cgroup.job_path) - of->used_ns <= BEFORE_NEAR_NS;
		more |= !of->done;
	}
	return more;
}

/* Finds it for jobs in the order of their keys. @counted: room for as many. Returns 0; -1: no live thread can be looked at. */
static int find_uncounted(struct collector *c, struct uncounted *jobs, struct job_cpu *counted, size_t count)
{
	for (size_t i = 0; i < count; i++)
		counted[i].job = jobs[i].job->key;
	for (int i = 0; i < BEFORE_TRIES; i++) {
		struct error why;

		read_before(c, jobs, count);
		if (programs__cpu_ns(c->programs, counted, count, &why) < 0)
			return -1;
		if (!compare(c, jobs, counted, count))
			break;
	}
	return 0;
}

static int by_key(const void *left, const void *right)
{
	const struct uncounted *a = left, *b = right;

	return (a->job->key > b->job->key) - (a->job->key < b->job->key);
}

void follow_uncounted(struct collector *c, struct uncounted *jobs, size_t count)
{
	cleanup_free struct job_cpu *counted = calloc(count, sizeof(*counted));

	for (size_t i = 0; i < count; i++) {
		jobs[i].ns = 0;
		jobs[i].done = false;
	}
	if (!count)
		return;
	qsort(jobs, count, sizeof(*jobs), by_key);
	if (counted && find_uncounted(c, jobs, counted, count) == 0)
		return;
	for (size_t i = 0; i < count; i++)
		jobs[i].ns = -1;
}

void follow_before_take(struct job *job, int64_t ns)
{
	if (ns < 0)
		job->counting.cpu_unknown |= job->counting.before == BEFORE_UNKNOWN;
	else if (ns > (int64_t)job->counting.before_cpu_ns)
		job->counting.before_cpu_ns = ns;
	job->counting.before = BEFORE_FOUND;
}

bool follow_before_is_early(const struct collector *c)
{
	return c->before_paid_ns > clock_ns(CLOCK_MONOTONIC) + BEFORE_BURST_NS;
}

void follow_before_pay(struct collector *c, uint64_t began)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), cost_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - began;

	if (c->before_paid_ns < now)
		c->before_paid_ns = now;
	c->before_paid_ns += cost_ns * BEFORE_TIME_SHARE;
}

bool follow_before_find(struct collector *c, struct job *job)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct uncounted of = { .job = job };

	/* Of a job that was counted before this stintd knew of it nothing is known; there are no more of these to come. */
	if (job->counting.before != BEFORE_UNKNOWN && follow_before_is_early(c)) {
		c->before_wanted = true;
		return false;
	}
	follow_uncounted(c, &of, 1);
	follow_before_take(job, of.ns);
	follow_before_pay(c, began);
	return true;
}
