/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gets the report so far of a running job from the stintd of this node. */
#ifndef STINT_QUERY_JOB_H
#define STINT_QUERY_JOB_H

#define QUERY_WAIT_MS 15000 /* as long as a person waits for one page; pages that are redrawn each second wait less */

#include "common/conf.h"
#include "reports/read/rows.h"
#include "reports/records/record.h"

/*
 * Adds to @rows the report so far of the job @name, which is running according to @slurm. Such a
 * report has "so_far", is not complete, and has no advice, because the job has not ended.
 *
 * @wait_ms: how long to retry while stintd answers other users, or this user's other programs: it answers a user twice
 * a second
 *
 * Returns 0; -1 with @err set to one line: why there is no report, and where to get one.
 */
int query_running(struct rows *rows, const char *name, const struct record_slurm_job *slurm, const struct conf *conf,
		  int wait_ms, struct error *err);

/*
 * Returns that report, for report_free(); NULL with @err set. @slurm: as above, or one of slurm_jobs_ask() that is on
 * one node
 */
struct report *query_report(const struct record_slurm_job *slurm, const struct conf *conf, int wait_ms, struct error *err);

#endif
