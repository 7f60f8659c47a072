/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of a job, made anew of what the store has of it. */
#ifndef STINT_SITE_REPORT_H
#define STINT_SITE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/database/database.h"
#include "reports/model/report.h"
#include "reports/rules/rules.h"

struct site_question {
	int64_t job_id;
	const char *cluster; /* the job's; NULL: whichever has one */
	const char *local; /* where several have one: that one, if it has one */
	bool several; /* set where there is no report because several clusters have one */
};

/*
 * Makes the report of a job: where the id came again, of the latest, and of its last attempt. What the store does not
 * keep is named in its gaps.
 *
 * Returns it, for report_free(); NULL with @err set, which names the clusters where several have one.
 */
struct report *site_report(struct database *db, struct site_question *question, const struct rules *rules,
			   struct error *err);

#endif
