/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits the memory that stintd needs, whatever the jobs do. The timelines of all jobs together may have
 * BUDGET_TIMELINES entries, and all series together BUDGET_SERIES points. Within this limit, each job gets as many as
 * it needs. If the limit is reached, each user gets an equal share, which is divided equally among the user's jobs.
 */
#ifndef STINT_JOB_BUDGET_H
#define STINT_JOB_BUDGET_H

#include "collector/job/job.h"

#define BUDGET_TIMELINES 20480
#define BUDGET_SERIES 20480
#define BUDGET_SHARE_MIN 16 /* a job always gets this many, even if its equal share is smaller */

/*
 * Makes room for one more entry in @job's timeline. If necessary, shortens the timelines of other jobs. Returns how
 * many entries @job's timeline may have now, at most @max.
 */
size_t budget_timeline(struct jobs *jobs, struct job *job, size_t max);

/* Works like budget_timeline(), for the points of @job's series. */
size_t budget_series(struct jobs *jobs, struct job *job);

#endif
