/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits the memory of stintd, whatever the jobs do. The timelines of all jobs together have a maximum number of
 * entries, and all series a maximum number of points. Below this maximum, each job gets as many as it wants. Above it,
 * each user has an equal share, and each of the user's jobs an equal part of this share.
 */
#ifndef STINT_JOB_BUDGET_H
#define STINT_JOB_BUDGET_H

#include "collector/job/job.h"

#define BUDGET_TIMELINES 20480
#define BUDGET_SERIES 20480
#define BUDGET_SHARE_MIN 16 /* a job gets this many, even if its equal share would be less */

/*
 * Returns how many entries @job's timeline may have now, at most @max, to make room for one more entry. If necessary,
 * shortens the timelines of other jobs.
 */
size_t budget_timeline(struct jobs *jobs, struct job *job, size_t max);

/* Like budget_timeline(), for the points of @job's series. */
size_t budget_series(struct jobs *jobs, struct job *job);

#endif
