/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all jobs of the node have used since stintd started. Never shrinks. */
#ifndef STINT_NODE_SUMS_H
#define STINT_NODE_SUMS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

/* The part of a job's sums that is in the node's. Must be all zero for a job that begins. */
struct job_part {
	__u64 use[ABI_USES_SENT];
	__u64 processes;
	bool older; /* an earlier stintd followed the job; the first sums say where this stintd begins */
};

/* Must be all zero at first. */
struct node_sums {
	__u64 use[ABI_USES_SENT];
	uint64_t processes; /* that began */
	uint64_t gpu_busy_ns;  /* time of GPUs for which they were busy */
	uint64_t gpu_known_ns; /* time of GPUs for which it is known whether they were busy */
};

/*
 * Adds what a job has used since the last call.
 *
 * @use, @processes: sums since the job's begin. A sum below that of the last call adds nothing.
 */
void node_sums_add(struct node_sums *sums, struct job_part *part, const __u64 use[ABI_USES_SENT], uint64_t processes);

#endif
