/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU time that a job's cgroup had used before its threads were counted: by processes that are gone, and by Slurm's
 * own. At any moment it is what the cgroup has used, less everything that is counted. Threads that run between the two
 * reads make it seem less, never more. So the largest of several results is the best.
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
 * Find the CPU time that the new cgroup @path had used before its threads are counted; nothing else has it. Call
 * before_begin() before the kernel programs know of the cgroup; @key: the job's, which need not have totals yet. It
 * finds what was still missing for the job's former cgroup. Call before_scanned() after the scan for threads that were
 * in it. It adds that CPU time to @job's, as exactly as is possible without another walk over all threads, and sets
 * @job->counting.before. If the threads ran meanwhile, the result is too small.
 */
void before_begin(struct collector *c, struct job *job, uint64_t key, const char *path, struct before *before);
void before_scanned(struct collector *c, struct job *job, const char *path, const struct before *before);

/*
 * Finds what @job->counting.before says is not known exactly, by some walks over all threads. No step needs to wait for
 * this. Each job can make some walks necessary, and a user can have very many threads. So these walks take at most a
 * tenth of the time, except for a few in a row. If they would take more, returns false: before_find_waiting() does it
 * for all such jobs at once. Otherwise returns true. If nothing is known about a job, it is always looked at; if that
 * finds nothing, @job->counting.cpu_unknown is set.
 */
bool before_find(struct collector *c, struct job *job);

/* Finds it for all jobs that wait for that, when it is time. Returns whether some still wait. */
bool before_find_waiting(struct collector *c);

/*
 * Finds it for all jobs for which it is not known, with as many walks for all jobs as for one. A node can have a
 * thousand jobs: with walks for each of them systemd would give up on stintd before it is ready.
 *
 * @replaced: programs were replaced just now; also finds the CPU time that jobs used meanwhile, and adds it to them
 *
 * Returns whether there was such a job.
 */
bool before_find_all(struct collector *c, bool replaced);

#endif
