/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rebuilds the report of a job from what the store has of it. */
#ifndef STINT_SITE_REPORT_H
#define STINT_SITE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/database/database.h"
#include "reports/model/report.h"
#include "reports/rules/rules.h"

struct site_question {
	int64_t job_id;
	const char *cluster; /* the job's cluster; NULL: any that has such a job */
	const char *local; /* if several clusters have one: use this one, if it has one */
	bool several; /* set if there is no report because several clusters have such a job */
	bool missing; /* set if there is none because the job left no record, and Slurm knows it */
};

/*
 * Makes the report of a job's last attempt. If the id was reused, it is that of the latest job. The report's gaps name what the
 * store does not keep.
 *
 * Returns it; free it with report_free(). NULL with @err set; it names the clusters if several have such a job, and says why a
 * job has no record.
 */
struct report *site_report(struct database *db, struct site_question *question, const struct rules *rules,
			   struct error *err);

#endif
