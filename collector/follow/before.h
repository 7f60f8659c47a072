/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU time that a job's cgroup had used before its threads were counted: by processes that are gone, and by Slurm's
 * own. At any one moment it is what the cgroup has used, less all that is counted. Threads that run between reading the
 * two make it seem less, and never more. So the largest of several results is the best.
 */
#ifndef STINT_BEFORE_H
#define STINT_BEFORE_H

#include "collector/collector.h"

/* What is known just before a cgroup of a job is counted. All in ns of CPU time. */
struct before {
	int64_t used_ns; /* by the cgroup; -1: not known */
	uint64_t counted_ns; /* counted for the job so far, in its former cgroups */
	uint64_t found_ns; /* found_cpu_ns of its totals */
};

/*
 * Find the CPU time that the new cgroup @path had used before its threads are counted, which nothing else has. Call
 * before_begin() before the kernel programs know of the cgroup; @key: the job's, which need not have totals yet. It finds
 * what was not found yet of the job's former cgroup. Call before_scanned() after the scan for threads that were in it. It
 * adds that CPU time to @job's, as well as it is known without another walk over all threads, and sets
 * @job->counting.before. If the threads ran meanwhile, the result is too small.
 */
void before_begin(struct collector *c, struct job *job, uint64_t key, const char *path, struct before *before);
void before_scanned(struct collector *c, struct job *job, const char *path, const struct before *before);

/*
 * Finds by some walks over all threads what @job->counting.before says is not known exactly. No step has to wait for this.
 * Each job can make some walks necessary, and a user can have very many threads. So these walks take no more than a tenth
 * of the time, but for a few in a row. If they would, returns false: before_find_waiting() does it for all such jobs at
 * once. Else returns true. A job of which nothing is known is always looked at; if that finds nothing,
 * @job->counting.cpu_unknown is set.
 */
bool before_find(struct collector *c, struct job *job);

/* Finds it for all jobs that wait for that, when it is time. Returns whether some wait on. */
bool before_find_waiting(struct collector *c);

/*
 * Finds it for all jobs of which it is not known: as many walks for all jobs as for one, since a node can have a thousand
 * jobs, and with walks for each of them systemd would give stintd up before it is ready.
 *
 * @replaced: programs were replaced just now; the CPU time that jobs used meanwhile is found, too, and given to them
 *
 * Returns whether there was such a job.
 */
bool before_find_all(struct collector *c, bool replaced);

#endif
