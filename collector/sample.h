/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking at the open jobs: at their cgroups' memory, and at what their threads have used by now. */
#ifndef STINT_SAMPLE_H
#define STINT_SAMPLE_H

#include "collector/collector.h"

/* Looks at one job's memory. *@memory: what was seen, -1 where nothing was. */
void sample_memory(struct collector *c, struct job *job, struct cgroup_memory *memory);

/*
 * Looks at all open jobs, for their series, their activity and their peaks of memory. It takes a 200th of this process'
 * time at most: where one look takes long, the next ones are left out.
 */
void sample_jobs(struct collector *c);

/*
 * Notes what each open job has used by now, in its so_far and beside its series, for a record of what a job has used so
 * far. Returns false when that would come too soon after the last time.
 */
bool sample_now(struct collector *c);

#endif
