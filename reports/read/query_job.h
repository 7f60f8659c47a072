/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gets the report of a job that still runs, about what it has used so far, from the stintd of this node. */
#ifndef STINT_QUERY_JOB_H
#define STINT_QUERY_JOB_H

#define QUERY_WAIT_MS 15000 /* as long as a person waits for one page, beside some that are drawn again each second */

#include <json-c/json.h>

#include "common/conf.h"
#include "reports/read/rows.h"

/*
 * Adds to @rows the report so far of the job @name, which runs according to @slurm, stint-slurm-job's object (it is
 * changed). Such a report has "so_far", is not complete, and has no advice, since what is to come is not known.
 *
 * @wait_ms: how long it is tried again while stintd answers others, or this user's other programs: it answers a user twice a second
 *
 * Returns 0; -1 with @err set to one line: why there is no report, and where to get one.
 */
int query_running(struct rows *rows, const char *name, struct json_object *slurm, const struct conf *conf, int wait_ms,
		  struct error *err);

/*
 * Returns that report, for report_free(); NULL with @err set. @slurm: as above, or an object of slurm_jobs_ask() of a job that has
 * one node
 */
struct report *query_report(struct json_object *slurm, const struct conf *conf, int wait_ms, struct error *err);

#endif
