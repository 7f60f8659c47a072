/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gets the report so far of a running job from stintd on this node. */
#ifndef STINT_QUERY_JOB_H
#define STINT_QUERY_JOB_H

#define QUERY_WAIT_MS 15000 /* for one page, as long as a person waits; pages that are redrawn each second wait for a shorter
			     * time */

#include "common/conf.h"
#include "reports/read/rows.h"
#include "reports/records/record.h"

/*
 * Adds to @rows the report so far of the job @name, which is running according to @slurm. Such a report has "so_far",
 * is not complete, and has no advice, because the job has not ended.
 *
 * @wait_ms: how long to retry while stintd answers other users, or other programs of this user. stintd answers a user
 * twice a second
 *
 * Returns 0. On failure returns -1 with @err set to one line that says why there is no report, and where to get one.
 */
int query_running(struct rows *rows, const char *name, const struct record_slurm_job *slurm, const struct conf *conf,
		  int wait_ms, struct error *err);

/*
 * Returns the report so far of a running job, for report_free(); NULL with @err set. @slurm: Slurm's answer about the
 * job, as for query_running(), or a job from slurm_jobs_ask() that runs on one node
 */
struct report *query_report(const struct record_slurm_job *slurm, const struct conf *conf, int wait_ms, struct error *err);

#endif
