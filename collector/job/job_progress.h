/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds when a job was active, and which processes stayed alive without doing anything. */
#ifndef STINT_JOB_PROGRESS_H
#define STINT_JOB_PROGRESS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

#define PROGRESS_STALLS_MAX 32

/*
 * Limits above which a job is active: CPU time and bytes. The bytes of Slurm's step daemon may count, too, but stay
 * below the limit.
 */
#define PROGRESS_CPU_SHARE 100 /* one hundredth */
#define PROGRESS_BYTES_PER_S 4096

/*
 * A job's script uses some CPU time and bytes merely to start and to end. So a short active period at the start or end
 * is ignored if it stays below these limits. Its CPU time must also be small, compared with the quiet time beside it
 * (PROGRESS_CPU_SHARE).
 *
 * A sample that comes late counts as one second.
 */
#define PROGRESS_EDGE_CPU_NS 200000000ull
#define PROGRESS_EDGE_TIME_SHARE 10 /* one tenth */
#define PROGRESS_EDGE_BYTES (64ull << 20) /* programs and libraries from disk */
#define PROGRESS_SAMPLE_NS 1000000000ull

struct stall {
	uint64_t tool;
	uint64_t step; /* its cgroup */
	uint64_t start_ns; /* CLOCK_BOOTTIME, as all times below */
	uint64_t quiet_ns;
	uint32_t pid;
};

/* Successive samples with activity. */
struct stretch {
	uint64_t begin_ns;
	uint64_t lasted_ns; /* sum of samples of at most PROGRESS_SAMPLE_NS */
	uint64_t cpu_ns;
	uint64_t bytes;
};

struct progress {
	uint64_t begin_ns;  /* of the first sample; 0: none */
	uint64_t end_ns;
	uint64_t first_ns;  /* begin of activity after the start; 0: none */
	uint64_t before_ns; /* end of the last but one activity; 0: none */
	uint64_t last_ns;   /* end of the last activity */
	struct stretch last;
	struct stall *stalls; /* the longest first */
	unsigned int stall_count;
};

/* Returns true if the growth of the sums from @before to @after, within @ns, is activity. */
bool progress_is_active(const __u64 before[ABI_USES_SENT], const __u64 after[ABI_USES_SENT], uint64_t ns);

/* Adds a sample: the sums @before at @from_ns and @after at @to_ns (CLOCK_BOOTTIME). */
void progress_note(struct progress *progress, uint64_t from_ns, uint64_t to_ns, const __u64 before[ABI_USES_SENT],
		   const __u64 after[ABI_USES_SENT]);

/* Ends the samples at the job's end. Moves later times back to @end_ns. */
void progress_end(struct progress *progress, uint64_t end_ns);

/* Finds the first and the last activity. Returns false if there was none. */
bool progress_activity(const struct progress *progress, uint64_t *first_ns, uint64_t *last_ns);

/*
 * Adds the longest stall of an ended image, if it took at least @stall_ns. Ignores Slurm's processes, because waiting
 * is their work.
 */
void progress_image_ended(struct progress *progress, const struct event *event, uint64_t stall_ns);

void progress_free(struct progress *progress);

#endif
