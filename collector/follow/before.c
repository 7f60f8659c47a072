/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/before.h"

#include <stdlib.h>

#include "collector/follow/keep.h"
#include "collector/host/systemd.h"
#include "common/cleanup.h"
#include "common/clock.h"

#define BEFORE_TRIES 4
#define BEFORE_TIME_SHARE 10 /* walks take a tenth of the time */
#define BEFORE_BURST_NS 200000000ull /* how far they may exceed that for a moment: on most nodes, ten jobs at once */
#define BEFORE_NEAR_NS 500000 /* less CPU time than this between two looks does not matter */

/* The CPU time that a job's cgroup has used without being counted. */
struct uncounted {
	struct job *job;
	int64_t ns; /* -1: not known, because live threads cannot be looked at */
	int64_t used_ns; /* by the cgroup, before the last walk */
	bool done; /* no further walk finds more */
};

/* Reads what each job's cgroup has used, before a walk. A cgroup that is gone cannot be read. */
static void read_before(struct collector *c, struct uncounted *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (jobs[i].done)
			continue;
		jobs[i].used_ns = cgroup_cpu_ns(&c->layout, jobs[i].job->cgroup.job_path);
		jobs[i].done = jobs[i].used_ns < 0;
	}
}

/* Compares that with the result of a walk. Returns whether one more walk can find more for some job. */
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
 * Compares for jobs in the order of their keys. @counted: room for as many. Returns 0; -1: live threads cannot be
 * looked at.
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

/* Finds it for all of @jobs, @count of them, by some walks over all threads: as many for all jobs as for one. Sorts @jobs. */
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

/* Uses @ns for the part that @job->counting.before says is not known exactly; -1: it is not known. */
static void take_found(struct job *job, int64_t ns)
{
	if (ns < 0)
		job->counting.cpu_unknown |= job->counting.before == BEFORE_UNKNOWN;
	else if (ns > (int64_t)job->counting.before_cpu_ns)
		job->counting.before_cpu_ns = ns;
	job->counting.before = BEFORE_FOUND;
}

/* Whether a walk would come too early. */
static bool is_early(const struct collector *c)
{
	return c->before_paid_ns > clock_ns(CLOCK_MONOTONIC) + BEFORE_BURST_NS;
}

/* Notes that walks have taken CPU time since @began (CLOCK_THREAD_CPUTIME_ID). */
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

	/* If a job was counted before this stintd knew it, nothing is known about it; no more of these can come. */
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

	/*
	 * This should be found for all jobs together, at the end of stintd's start or later, but this cgroup will soon
	 * be the job's former one. If walks have taken too long for it, what is known so far stays.
	 */
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

/*
 * Programs were replaced while the job ran. The CPU time of threads that ended in between was not counted: the job's
 * cgroup shows it. @uncounted: the result of find_sorted()
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

/* Whether programs were replaced during a job, and their counts for @job were taken over. */
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
