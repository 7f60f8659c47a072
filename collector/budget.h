/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What bounds the memory that stintd takes, whatever the jobs do: the timelines of all jobs have so many entries
 * together, and their series so many points. As long as these are enough, a job has as many as it wants; then each
 * has an equal share.
 */
#ifndef STINT_BUDGET_H
#define STINT_BUDGET_H

#include "collector/job.h"

#define BUDGET_TIMELINES 20480
#define BUDGET_SERIES 20480
#define BUDGET_SHARE_MIN 16 /* whatever the share would be */

/*
 * How many entries @job's timeline may have now, @max at most, so that there is room for one more; those of other jobs
 * are shortened for it where they must be.
 */
size_t budget_timeline(struct jobs *jobs, struct job *job, size_t max);

/* The same of the points of its series. */
size_t budget_series(struct jobs *jobs, struct job *job);

#endif
