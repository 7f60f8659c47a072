/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits stintd's memory: BUDGET_TIMELINES entries for all timelines, and BUDGET_SERIES points for all series. At the
 * limit, each user gets an equal share for all his jobs together.
 */
#ifndef STINT_JOB_BUDGET_H
#define STINT_JOB_BUDGET_H

#include "collector/job/job.h"

#define BUDGET_TIMELINES 20480
#define BUDGET_SERIES 20480
#define BUDGET_SHARE_MIN 16 /* smallest share of a job */

/*
 * Makes room for one more entry in @job's timeline. May shorten the timelines of other jobs. Returns the new limit, at
 * most @max.
 */
size_t budget_timeline(struct jobs *jobs, struct job *job, size_t max);

/* Works like budget_timeline(), for the series. */
size_t budget_series(struct jobs *jobs, struct job *job);

#endif
