/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples the open jobs: the memory of their cgroups, and what their threads have used by now. */
#ifndef STINT_SAMPLE_H
#define STINT_SAMPLE_H

#include "collector/collector.h"

/* Reads one job's memory to *@memory, and raises the job's peaks. Unknown values become -1. */
void sample_memory(struct collector *c, struct job *job, struct cgroup_memory *memory);

/* Reads the memory of an open step, and raises the step's peaks. */
void sample_step(const struct collector *c, const struct job *job, struct job_step *step);

#define SAMPLE_STEPS_MAX 128

/*
 * Reads the memory of SAMPLE_STEPS_MAX open steps of all jobs. The next call continues with the steps after these. Sets
 * steps_left_out for each job with steps that had to wait.
 */
void sample_steps(struct collector *c);

/*
 * Samples all open jobs. Reads the memory of the jobs' and open steps' cgroups, for their peaks. Walks over all
 * threads, for the jobs' series and activity.
 *
 * Each of the two may use at most a 200th of a CPU's time. If one of them is slow, the next ones are left out. Each
 * job's series counts the walks that were left out.
 */
void sample_jobs(struct collector *c);

/*
 * Samples all open jobs for a query: sets their so_far, and does not change their series. Returns false if the last
 * sample was too short ago. If no sample is possible before the caller stops waiting, returns true with so_far_old set:
 * the answer then shows the data of the last walk.
 */
bool sample_now(struct collector *c);

#endif
