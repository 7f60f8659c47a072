/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a job was active, and which of its processes lived on without doing anything. The job's first and last activity
 * come from its samples; the longest stalls of single processes come from the kernel programs.
 */
#ifndef STINT_JOB_PROGRESS_H
#define STINT_JOB_PROGRESS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

#define PROGRESS_STALLS_MAX 32

/*
 * Between two samples a job is active if its threads used more than this share of one CPU, or moved more bytes a second
 * than this (storage, system calls, sockets, of the job's cgroup). If Slurm's step daemon is in the job's cgroup, the
 * bytes include the files in /proc that it reads for its own accounting. These are fewer than the limit.
 */
#define PROGRESS_CPU_SHARE 100 /* a hundredth */
#define PROGRESS_BYTES_PER_S 4096

/*
 * A job's script takes some CPU time and reads some files merely to start and to end. That is no activity if it is at
 * most this much, short compared with the quiet time next to it, and less than a hundredth of a CPU over that time.
 * Samples are a second apart. A late sample, on a busy node, must not show more activity than one in time: it counts as
 * a second.
 */
#define PROGRESS_EDGE_CPU_NS 200000000ull
#define PROGRESS_EDGE_TIME_SHARE 10 /* a tenth */
#define PROGRESS_EDGE_BYTES (64ull << 20) /* programs and libraries that are in no cache yet */
#define PROGRESS_SAMPLE_NS 1000000000ull

struct stall {
	uint64_t tool;
	uint64_t step; /* its cgroup */
	uint64_t start_ns; /* CLOCK_BOOTTIME, like all below */
	uint64_t quiet_ns;
	uint32_t pid;
};

/* Consecutive samples in which a job was active, and what it used in them. */
struct stretch {
	uint64_t begin_ns;
	uint64_t lasted_ns; /* the sum of its samples, each PROGRESS_SAMPLE_NS at most */
	uint64_t cpu_ns;
	uint64_t bytes;
};

struct progress {
	uint64_t begin_ns;  /* of all samples; 0: there was none */
	uint64_t end_ns;
	uint64_t first_ns;  /* begin of the first stretch of activity that was not just a start; 0: there was none */
	uint64_t before_ns; /* end of the last stretch but one; 0: there was none, or it was just a start */
	uint64_t last_ns;   /* end of the last stretch so far */
	struct stretch last;
	struct stall *stalls; /* the longest first */
	unsigned int stall_count;
};

/* Whether a job or process was active in between, if its sums were @before, and @ns later @after. */
bool progress_is_active(const __u64 before[ABI_USES_SENT], const __u64 after[ABI_USES_SENT], uint64_t ns);

/* Adds a sample: what the job had used up to @from_ns (@before), and up to @to_ns (@after). */
void progress_note(struct progress *progress, uint64_t from_ns, uint64_t to_ns, const __u64 before[ABI_USES_SENT],
		   const __u64 after[ABI_USES_SENT]);

/* Ends the samples at @end_ns, when the job was over. */
void progress_end(struct progress *progress, uint64_t end_ns);

/*
 * Finds when the job was first and last active in the samples so far: *@first_ns, *@last_ns. Returns false if it never
 * was.
 */
bool progress_activity(const struct progress *progress, uint64_t *first_ns, uint64_t *last_ns);

/*
 * Adds an ended image: it stalled if it used nothing for @stall_ns or longer without a break. Slurm's own processes do
 * not count, because waiting is their work.
 */
void progress_image_ended(struct progress *progress, const struct event *event, uint64_t stall_ns);

void progress_free(struct progress *progress);

#endif
