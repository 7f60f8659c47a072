/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits the memory that stintd takes, whatever the jobs do. The timelines of all jobs together have a maximum number
 * of entries, and their series a maximum number of points. As long as these are enough, each job gets as many as it
 * wants. Then each user has an equal share, and each of the user's jobs an equal share of that.
 */
#ifndef STINT_JOB_BUDGET_H
#define STINT_JOB_BUDGET_H

#include "collector/job/job.h"

#define BUDGET_TIMELINES 20480
#define BUDGET_SERIES 20480
#define BUDGET_SHARE_MIN 16 /* even if an equal share would be less */

/*
 * Returns how many entries @job's timeline may have now, at most @max, so that there is room for one more. Shortens the
 * timelines of other jobs if necessary.
 */
size_t budget_timeline(struct jobs *jobs, struct job *job, size_t max);

/* The same for the points of its series. */
size_t budget_series(struct jobs *jobs, struct job *job);

#endif
