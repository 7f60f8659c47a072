/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples the open jobs: memory, and what their threads have used. */
#ifndef STINT_SAMPLE_H
#define STINT_SAMPLE_H

#include "collector/collector.h"

/* Reads the memory of one job, and raises its peaks. Unknown values are -1. */
void sample_memory(struct collector *c, struct job *job, struct cgroup_memory *memory);

/* Reads the memory of an open step, and raises its peaks. */
void sample_step(const struct collector *c, const struct job *job, struct job_step *step);

#define SAMPLE_STEPS_MAX 128

/*
 * Reads the memory of the next SAMPLE_STEPS_MAX open steps of all jobs. Sets steps_left_out in each job with unread
 * steps.
 */
void sample_steps(struct collector *c);

/*
 * Samples all open jobs: reads their memory, and walks over all threads.
 *
 * The readings may use a 200th of a CPU's time, and so may the walks. Samples are left out to stay below this limit.
 * The series of each job counts the walks left out.
 */
void sample_jobs(struct collector *c);

/*
 * Samples all open jobs for a query: sets so_far in each job.
 * If no walk is possible in time, sets so_far_old, and so_far stays as it was.
 * Returns false if the caller should try again.
 */
bool sample_now(struct collector *c);

/*
 * Adds to the node's sums what the job has used since the last call. CPU time from long before counting began is left out.
 *
 * @use, @processes: of the job since its begin
 */
void sample_add_to_node(struct collector *c, struct job *job, const __u64 use[ABI_USES_SENT], uint64_t processes);

#endif
