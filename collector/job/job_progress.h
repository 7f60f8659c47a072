/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds when a job was active, and which of its processes stayed alive without doing anything. The job's first and last
 * activity are found from its samples. The longest stalls of single processes come from the kernel programs.
 */
#ifndef STINT_JOB_PROGRESS_H
#define STINT_JOB_PROGRESS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

#define PROGRESS_STALLS_MAX 32

/*
 * A job is active between two samples if its threads used more than PROGRESS_CPU_SHARE of one CPU, or moved more than
 * PROGRESS_BYTES_PER_S (storage, system calls and sockets of the job's cgroup). If Slurm's step daemon is in the job's
 * cgroup, the bytes include the files in /proc that the daemon reads for its own accounting. These bytes alone stay
 * below the limit.
 */
#define PROGRESS_CPU_SHARE 100 /* one hundredth */
#define PROGRESS_BYTES_PER_S 4096

/*
 * A job's script uses some CPU time and reads some files merely to start and to end. So a short period at the start or
 * at the end is not activity if three things stay within these limits: its CPU time, its bytes, and its length compared
 * with the quiet time next to it. Its CPU time must also be less than PROGRESS_CPU_SHARE of a CPU over the quiet time.
 *
 * Samples are one second apart. A sample may come late on a busy node. A late sample counts as one second, so it does
 * not show more activity than a sample that came in time.
 */
#define PROGRESS_EDGE_CPU_NS 200000000ull
#define PROGRESS_EDGE_TIME_SHARE 10 /* one tenth */
#define PROGRESS_EDGE_BYTES (64ull << 20) /* programs and libraries that are not in the page cache yet */
#define PROGRESS_SAMPLE_NS 1000000000ull

struct stall {
	uint64_t tool;
	uint64_t step; /* its cgroup */
	uint64_t start_ns; /* CLOCK_BOOTTIME, like all times below */
	uint64_t quiet_ns;
	uint32_t pid;
};

/* An active period: consecutive samples in which a job was active, and what the job used in these samples. */
struct stretch {
	uint64_t begin_ns;
	uint64_t lasted_ns; /* the length of all its samples, each at most PROGRESS_SAMPLE_NS */
	uint64_t cpu_ns;
	uint64_t bytes;
};

struct progress {
	uint64_t begin_ns;  /* begin of the first sample; 0: no samples */
	uint64_t end_ns;
	uint64_t first_ns;  /* begin of the first active period that was more than a start; 0: none */
	uint64_t before_ns; /* end of the active period before the last one; 0: there is none, or it was only a start */
	uint64_t last_ns;   /* end of the last active period so far */
	struct stretch last;
	struct stall *stalls; /* the longest first */
	unsigned int stall_count;
};

/* Returns true if a job or process was active during @ns, in which its sums grew from @before to @after. */
bool progress_is_active(const __u64 before[ABI_USES_SENT], const __u64 after[ABI_USES_SENT], uint64_t ns);

/* Adds a sample. @before and @after: the job's sums at @from_ns and at @to_ns (CLOCK_BOOTTIME) */
void progress_note(struct progress *progress, uint64_t from_ns, uint64_t to_ns, const __u64 before[ABI_USES_SENT],
		   const __u64 after[ABI_USES_SENT]);

/* Ends the samples at @end_ns, when the job was over. Moves later times back to @end_ns. */
void progress_end(struct progress *progress, uint64_t end_ns);

/*
 * Finds when the job was first and last active, from the samples so far. Sets *@first_ns and *@last_ns. Returns false
 * if the job was never active.
 */
bool progress_activity(const struct progress *progress, uint64_t *first_ns, uint64_t *last_ns);

/*
 * Adds the longest stall of the image that ended with @event, if the image used nothing for at least @stall_ns without
 * a break. Ignores Slurm's own processes, because their work is to wait.
 */
void progress_image_ended(struct progress *progress, const struct event *event, uint64_t stall_ns);

void progress_free(struct progress *progress);

#endif
