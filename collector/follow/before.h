/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the CPU time that a job's cgroup had used before stintd began to count. Ended processes and Slurm's own
 * processes used this time.
 *
 * The result is the cgroup's CPU time minus all counted CPU time. A thread that runs between the two readings makes the
 * result too small. So stintd takes the largest of several results.
 */
#ifndef STINT_BEFORE_H
#define STINT_BEFORE_H

#include "collector/collector.h"

/* CPU times in ns, just before stintd begins to count a cgroup. */
struct before {
	int64_t used_ns; /* used by the cgroup; -1: not known */
	uint64_t counted_ns; /* counted in the job's former cgroups */
	uint64_t found_ns; /* found_cpu_ns of the job's totals */
};

/*
 * Find the CPU time that the new cgroup @path had used before counting began.
 *
 * Call before_begin() before the kernel programs know the cgroup. It also finds this time for the job's former cgroup.
 * Call before_scanned() after the scan for threads in the cgroup. It adds the CPU time to @job, and sets
 * @job->counting.before. If threads ran between the two calls, the CPU time is too small.
 *
 * @key: the job's key
 */
void before_begin(struct collector *c, struct job *job, uint64_t key, const char *path, struct before *before);
void before_scanned(struct collector *c, struct job *job, const char *path, const struct before *before);

/*
 * Finds the CPU time that @job used before counting, if it is not known exactly (@job->counting.before). May walk over
 * all threads several times. If the walks fail, sets @job->counting.cpu_unknown.
 *
 * Walks may use a tenth of the time, because users can have very many threads. Jobs with BEFORE_UNKNOWN have no limit.
 *
 * Returns false at the limit. before_find_waiting() then finds the CPU time later.
 */
bool before_find(struct collector *c, struct job *job);

/*
 * Calls before_find_all() if before_find() has reached its limit and walks are allowed again. Returns true if jobs
 * still wait.
 */
bool before_find_waiting(struct collector *c);

/*
 * Works like before_find(), for all jobs at once. All jobs together need no more walks than one job, so stintd starts
 * in time on a node with a thousand jobs.
 *
 * @replaced: programs were just replaced; also add CPU time that was used meanwhile
 *
 * Returns true if a job was searched for.
 */
bool before_find_all(struct collector *c, bool replaced);

#endif
