/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples the open jobs: reads the memory of their cgroups, and what their threads have used up to now.
 */
#ifndef STINT_SAMPLE_H
#define STINT_SAMPLE_H

#include "collector/collector.h"

/* Reads the memory of one job to *@memory, and raises the job's peaks. Sets unknown values to -1. */
void sample_memory(struct collector *c, struct job *job, struct cgroup_memory *memory);

/* Reads the memory of an open step, and raises the step's peaks. */
void sample_step(const struct collector *c, const struct job *job, struct job_step *step);

#define SAMPLE_STEPS_MAX 128

/*
 * Reads the memory of SAMPLE_STEPS_MAX of the open steps of all jobs. The next call continues with the steps that
 * follow. Sets steps_left_out in each job whose steps were not all read.
 */
void sample_steps(struct collector *c);

/*
 * Samples all open jobs. Reads the memory of the cgroups of jobs and open steps, for their peaks. Walks over all
 * threads, for the series and the activity of the jobs.
 *
 * The reads and the walks may each use at most a 200th of a CPU's time. If one of the two was slow, it is left out the
 * next times. The series of each job counts the walks that were left out.
 */
void sample_jobs(struct collector *c);

/*
 * Samples all open jobs for a query: sets so_far in each job, and does not change its series. Returns false if the last
 * sample for a query was too short ago and the caller should try again.
 *
 * If no sample is possible before the caller stops waiting, returns true and sets so_far_old in all jobs. The answer
 * then shows the data of the last walk.
 */
bool sample_now(struct collector *c);

#endif
