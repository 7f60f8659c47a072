/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU time that a job's cgroup had used before stintd began to count the job's threads. Processes that have ended
 * and Slurm's own processes used this time. It is the CPU time of the cgroup minus all CPU time that is counted. Both
 * values are read one after the other. Threads that run between the two reads can only make the result too small, so
 * the largest of several results is the best.
 */
#ifndef STINT_BEFORE_H
#define STINT_BEFORE_H

#include "collector/collector.h"

/* The state just before a cgroup of a job is counted. All values are CPU time in ns. */
struct before {
	int64_t used_ns; /* used by the cgroup; -1: not known */
	uint64_t counted_ns; /* already counted for the job, in its former cgroups */
	uint64_t found_ns; /* found_cpu_ns of the job's totals */
};

/*
 * Find the CPU time that the new cgroup @path had used before its threads are counted. No other counter has this time.
 *
 * Call before_begin() before the kernel programs know the cgroup. It also finds the time that is still missing for the
 * job's former cgroup. @key is the job's key. The job does not need totals yet.
 *
 * Call before_scanned() after the scan for threads that were already in the cgroup. It adds the CPU time to @job, as
 * exactly as possible without another walk over all threads, and sets @job->counting.before. If threads run meanwhile,
 * the result is too small.
 */
void before_begin(struct collector *c, struct job *job, uint64_t key, const char *path, struct before *before);
void before_scanned(struct collector *c, struct job *job, const char *path, const struct before *before);

/*
 * Finds the CPU time that @job->counting.before marks as unknown or not exact. This needs some walks over all threads.
 * No step has to wait for them.
 *
 * Each job can make some walks necessary, and a user can have very many threads. The walks are therefore limited to one
 * tenth of the time, except for a short burst. If the limit is reached, returns false: before_find_waiting() later
 * finds the time for all such jobs at once. Otherwise returns true.
 *
 * A job with BEFORE_UNKNOWN is not subject to the limit. If the walks find nothing for such a job,
 * @job->counting.cpu_unknown is set.
 */
bool before_find(struct collector *c, struct job *job);

/*
 * Does the work of before_find() for all waiting jobs, if it is time for the next walks. Returns true if some jobs
 * still wait.
 */
bool before_find_waiting(struct collector *c);

/*
 * Does the work of before_find() for all jobs whose CPU time before counting is unknown or not exact. The number of
 * walks is the same for all jobs as for one. A node can have a thousand jobs. If stintd walked for each of them,
 * systemd would give up on stintd before it is ready.
 *
 * @replaced: programs were just replaced; also finds the CPU time that jobs used during the replacement, and adds it to
 * them
 *
 * Returns true if there was such a job.
 */
bool before_find_all(struct collector *c, bool replaced);

#endif
