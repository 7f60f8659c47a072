/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/before.h"

#include <stdlib.h>

#include "collector/follow/keep.h"
#include "collector/host/systemd.h"
#include "common/cleanup.h"
#include "common/clock.h"

#define BEFORE_TRIES 4
#define BEFORE_TIME_SHARE 10 /* walks may use 1/BEFORE_TIME_SHARE of the time */
/* Short bursts of walks may use more: enough for ten jobs at once on most nodes. */
#define BEFORE_BURST_NS 200000000ull
#define BEFORE_NEAR_NS 500000 /* smaller differences of CPU time are ignored */

/* A job, and CPU time of its cgroup that was not counted. */
struct uncounted {
	struct job *job;
	int64_t ns; /* -1: not known */
	int64_t used_ns; /* CPU time of the cgroup, read before the last walk */
	bool done; /* another walk cannot find more */
};

static void read_before(struct collector *c, struct uncounted *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (jobs[i].done)
			continue;
		jobs[i].used_ns = cgroup_cpu_ns(&c->layout, jobs[i].job->cgroup.job_path);
		jobs[i].done = jobs[i].used_ns < 0;
	}
}

/* Returns true if another walk can find more uncounted CPU time for a job. */
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

/*
 * @jobs must be sorted by key. @counted needs room for @count elements.
 * Returns 0; -1 if the live threads cannot be read.
 */
static int compare_some_times(struct collector *c, struct uncounted *jobs, struct job_cpu *counted, size_t count)
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

static void find_sorted(struct collector *c, struct uncounted *jobs, size_t count)
{
	cleanup_free struct job_cpu *counted = calloc(count, sizeof(*counted));

	for (size_t i = 0; i < count; i++) {
		jobs[i].ns = 0;
		jobs[i].done = false;
	}
	if (!count)
		return;
	qsort(jobs, count, sizeof(*jobs), by_key);
	if (counted && compare_some_times(c, jobs, counted, count) == 0)
		return;
	for (size_t i = 0; i < count; i++)
		jobs[i].ns = -1;
}

/* Raises the CPU time that the job used before counting to @ns; -1: not known. */
static void take_found(struct job *job, int64_t ns)
{
	if (ns < 0)
		job->counting.cpu_unknown |= job->counting.before == BEFORE_UNKNOWN;
	else if (ns > (int64_t)job->counting.before_cpu_ns)
		job->counting.before_cpu_ns = ns;
	job->counting.before = BEFORE_FOUND;
}

static bool is_early(const struct collector *c)
{
	return c->before_paid_ns > clock_ns(CLOCK_MONOTONIC) + BEFORE_BURST_NS;
}

/* Adds the CPU time since @began (CLOCK_THREAD_CPUTIME_ID) to what the walks have used. */
static void pay(struct collector *c, uint64_t began)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), cost_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - began;

	if (c->before_paid_ns < now)
		c->before_paid_ns = now;
	c->before_paid_ns += cost_ns * BEFORE_TIME_SHARE;
}

bool before_find(struct collector *c, struct job *job)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct uncounted of = { .job = job };

	/* Jobs with BEFORE_UNKNOWN have no limit. An earlier stintd began to count them, so their number is small. */
	if (job->counting.before != BEFORE_UNKNOWN && is_early(c)) {
		c->before_wanted = true;
		return false;
	}
	find_sorted(c, &of, 1);
	take_found(job, of.ns);
	pay(c, began);
	return true;
}

void before_begin(struct collector *c, struct job *job, uint64_t key, const char *path, struct before *before)
{
	struct totals totals = {};

	/* Search now, before the new cgroup replaces the former one. Keep the known value if no walk is allowed. */
	if (job->key && job->counting.before != BEFORE_FOUND && !before_find(c, job))
		job->counting.before = BEFORE_FOUND;
	programs__totals(c->programs, key, &totals);
	before->counted_ns = totals.use[USE_CPU];
	before->found_ns = totals.found_cpu_ns;
	before->used_ns = cgroup_cpu_ns(&c->layout, path);
}

void before_scanned(struct collector *c, struct job *job, const char *path, const struct before *before)
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

/* Adds CPU time of threads that ended while programs were replaced. The cgroup counted these threads, stint did not. */
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

static bool was_replaced(const struct collector *c, const struct job *job)
{
	const char *why;

	return !job->counting.anew && programs__replaced(c->programs, &why);
}

/* @replaced: also check for CPU time that was used while programs were replaced */
static bool has_uncounted(const struct collector *c, const struct job *job, bool replaced)
{
	return job->key && (job->counting.before != BEFORE_FOUND || (replaced && was_replaced(c, job)));
}

static void take_uncounted(struct collector *c, struct job *job, bool replaced, int64_t ns)
{
	if (c->starting)
		systemd_extend_start();
	if (job->counting.before != BEFORE_FOUND)
		take_found(job, ns);
	if (replaced && was_replaced(c, job))
		give_unseen_cpu(c, job, ns);
}

bool before_find_all(struct collector *c, bool replaced)
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
	find_sorted(c, jobs, count);
	for (size_t i = 0; i < count; i++)
		take_uncounted(c, jobs[i].job, replaced, jobs[i].ns);
	return count > 0;
}

bool before_find_waiting(struct collector *c)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (!c->before_wanted || is_early(c))
		return c->before_wanted;
	c->before_wanted = false;
	if (before_find_all(c, false))
		keep_found(c);
	pay(c, began);
	return false;
}
