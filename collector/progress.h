/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a job did something, and which of its processes lived on and did nothing: the job's first and last activity as
 * its samples tell, and the longest stalls of single processes, which the kernel programs note.
 */
#ifndef STINT_PROGRESS_H
#define STINT_PROGRESS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/record.h"

#define PROGRESS_STALLS_MAX 32

/*
 * Between two samples a job is active when its threads used more than this share of one CPU, or moved more bytes a
 * second (storage, system calls, sockets, of the job's cgroup). Where Slurm's step daemon is in the job's cgroup, the
 * files in /proc that it reads for its own accounting are among the bytes: they are less.
 */
#define PROGRESS_CPU_SHARE 100 /* a hundredth */
#define PROGRESS_BYTES_PER_S 4096

struct stall {
	uint64_t tool;
	uint64_t step; /* its cgroup */
	uint64_t start_ns; /* CLOCK_BOOTTIME, as are all below */
	uint64_t quiet_ns;
	uint32_t pid;
};

struct progress {
	uint64_t first_ns; /* begin of the first interval in which it was active; 0: it was not */
	uint64_t last_ns;  /* end of the last one */
	struct stall *stalls; /* the longest first */
	unsigned int stall_count;
};

/* Whether who used @before, and @ns later @after, was active meanwhile. */
bool progress_is_active(const __u64 before[RECORD_USES_TOLD], const __u64 after[RECORD_USES_TOLD], uint64_t ns);

/* Takes in what the job used up to @from_ns and to @to_ns. */
void progress_note(struct progress *progress, uint64_t from_ns, uint64_t to_ns, const __u64 before[RECORD_USES_TOLD],
		   const __u64 after[RECORD_USES_TOLD]);

/*
 * Takes in an ended image; it stalled when it used nothing for @stall_ns or longer at a stretch. Slurm's own processes
 * are there to wait.
 */
void progress_image_ended(struct progress *progress, const struct event *event, uint64_t stall_ns);

void progress_free(struct progress *progress);

#endif
