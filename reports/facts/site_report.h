/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rebuilds the report of a job from what the store has about the job. */
#ifndef STINT_SITE_REPORT_H
#define STINT_SITE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/database/database.h"
#include "reports/model/report.h"
#include "reports/rules/rules.h"

struct site_question {
	int64_t job_id;
	const char *cluster; /* the job's cluster; NULL for any cluster that has such a job */
	const char *local; /* if several clusters have such a job, prefer this cluster */
	bool several; /* set if there is no report because several clusters have such a job */
	bool missing; /* set if there is no report because the job left no record, although Slurm knows the job */
};

/*
 * Makes the report of a job's last attempt. If the id was reused, reports the latest job. The report's gaps name what
 * the store does not keep.
 *
 * Returns the report, for report_free(). NULL with @err set. If several clusters have such a job, @err names them. If
 * the job has no record, @err says why.
 */
struct report *site_report(struct database *db, struct site_question *question, const struct rules *rules,
			   struct error *err);

#endif
