/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks stintd on this node for the report of a running job. */
#ifndef STINT_QUERY_JOB_H
#define STINT_QUERY_JOB_H

#define QUERY_WAIT_MS 15000 /* as long as a person waits for one page */

#include "common/conf.h"
#include "reports/read/rows.h"
#include "reports/records/record.h"

/*
 * Adds the report of the running job @name to @rows.
 * The report has "so_far", is not complete, and has no advice.
 *
 * @slurm: Slurm's answer about the job
 * @wait_ms: how long to retry while stintd is busy; it answers each user twice a second
 *
 * Returns 0; -1 with @err set to why there is no report, and where to get one.
 */
int query_running(struct rows *rows, const char *name, const struct record_slurm_job *slurm, const struct conf *conf,
		  int wait_ms, struct error *err);

/*
 * Returns the report of a running job, for report_free(); NULL with @err set.
 *
 * @slurm: as in query_running(), or a job from slurm_jobs_ask() on one node
 */
struct report *query_report(const struct record_slurm_job *slurm, const struct conf *conf, int wait_ms, struct error *err);

#endif
