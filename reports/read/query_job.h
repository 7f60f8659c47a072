/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks stintd on this node for the report of a job that is still running. */
#ifndef STINT_QUERY_JOB_H
#define STINT_QUERY_JOB_H

#define QUERY_WAIT_MS 15000 /* for one page, as long as a person waits; a page that is redrawn each second waits for a shorter
			     * time */

#include "common/conf.h"
#include "reports/read/rows.h"
#include "reports/records/record.h"

/*
 * Adds to @rows the report of the job @name, which is still running according to @slurm. This report has "so_far", is
 * not complete, and has no advice, because the job has not ended.
 *
 * @wait_ms: how long to retry while stintd answers other users, or other programs of this user. stintd answers each
 * user only twice a second
 *
 * Returns 0. On failure returns -1 with @err set to one line that says why there is no report, and where to get one.
 */
int query_running(struct rows *rows, const char *name, const struct record_slurm_job *slurm, const struct conf *conf,
		  int wait_ms, struct error *err);

/*
 * Returns the report of a job that is still running, for report_free(); NULL with @err set.
 *
 * @slurm: Slurm's answer about the job, as for query_running(), or a job from slurm_jobs_ask() that runs on one node
 */
struct report *query_report(const struct record_slurm_job *slurm, const struct conf *conf, int wait_ms, struct error *err);

#endif
