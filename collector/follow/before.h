/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the CPU time that a job's cgroup had used before stintd began to count the job's threads. Processes that have
 * ended, and Slurm's own processes, used this time.
 *
 * The result is the CPU time of the cgroup minus all CPU time that is counted. stintd reads these two values one after
 * the other. Threads that run between the two reads can only make the result too small, so the largest of several
 * results is the best.
 */
#ifndef STINT_BEFORE_H
#define STINT_BEFORE_H

#include "collector/collector.h"

/* The values just before stintd begins to count a cgroup of a job. All values are CPU time in ns. */
struct before {
	int64_t used_ns; /* CPU time that the cgroup had used; -1: not known */
	uint64_t counted_ns; /* CPU time already counted for the job in its former cgroups */
	uint64_t found_ns; /* found_cpu_ns of the job's totals */
};

/*
 * Find the CPU time that the new cgroup @path had used before its threads are counted. No other counter has this time.
 *
 * Call before_begin() before the kernel programs know the cgroup. before_begin() also finds the time that is still
 * missing for the job's former cgroup. @key is the job's key. The job does not need totals yet.
 *
 * Call before_scanned() after the scan for threads that were already in the cgroup. before_scanned() adds the CPU time
 * to @job and sets @job->counting.before. The time is as exact as possible without another walk over all threads. If
 * threads run between the two calls, the result is too small.
 */
void before_begin(struct collector *c, struct job *job, uint64_t key, const char *path, struct before *before);
void before_scanned(struct collector *c, struct job *job, const char *path, const struct before *before);

/*
 * Finds the CPU time of @job if @job->counting.before says that this time is unknown or not exact. To find it,
 * before_find() walks over all threads, possibly several times. No step has to wait for these walks.
 *
 * Each job can make some walks necessary, and a user can have very many threads. The walks are therefore limited to one
 * tenth of the time, except for a short burst. If the limit is reached, returns false, and before_find_waiting() later
 * finds the time for all such jobs at once. Otherwise returns true.
 *
 * The limit does not apply to a job with BEFORE_UNKNOWN. If the walks cannot find the time of such a job, sets
 * @job->counting.cpu_unknown.
 */
bool before_find(struct collector *c, struct job *job);

/*
 * Does the work of before_find() for all jobs that wait because of the limit, if the limit allows walks again. Returns
 * true if some jobs still wait.
 */
bool before_find_waiting(struct collector *c);

/*
 * Does the work of before_find() for all jobs whose CPU time before counting is unknown or not exact. Needs no more
 * walks for all jobs than for one, because a node can have a thousand jobs. If stintd walked for each of them, systemd
 * would give up on stintd before it is ready.
 *
 * @replaced: BPF programs were just replaced; also find the CPU time that jobs used during the replacement, and add
 * this time to the jobs
 *
 * Returns true if there was such a job.
 */
bool before_find_all(struct collector *c, bool replaced);

#endif
