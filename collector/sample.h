/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples the open jobs: the memory of their cgroups, and what their threads have used by now. */
#ifndef STINT_SAMPLE_H
#define STINT_SAMPLE_H

#include "collector/collector.h"

/* Reads one job's memory to *@memory, -1 for unknown values, and raises the job's peaks. */
void sample_memory(struct collector *c, struct job *job, struct cgroup_memory *memory);

/* Reads the memory of an open step, and raises its peaks. */
void sample_step(const struct collector *c, const struct job *job, struct job_step *step);

#define SAMPLE_STEPS_MAX 128

/*
 * Reads the memory of SAMPLE_STEPS_MAX open steps of all jobs; the next call continues with the following ones. Sets
 * steps_left_out of each job with steps that had to wait.
 */
void sample_steps(struct collector *c);

/*
 * Samples all open jobs: reads the memory of their cgroups and of their open steps' cgroups, for their peaks, and walks
 * over all threads, for their series and their activity. Each of the two takes at most a 200th of a CPU's time: if one
 * takes long, the next ones are left out. Each job's series knows how many walks were left out.
 */
void sample_jobs(struct collector *c);

/*
 * Samples all open jobs for a query: sets their so_far, and leaves their series unchanged. If the last sample was too
 * short ago, returns false. If it still will be when the caller stops waiting, returns true with so_far_old set: the
 * answer is then what the last walk saw.
 */
bool sample_now(struct collector *c);

#endif
