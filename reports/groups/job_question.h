/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the jobs that a summary asks for in the store, and adds them up with job_sums.h. */
#ifndef STINT_JOB_QUESTION_H
#define STINT_JOB_QUESTION_H

#include "reports/database/database.h"
#include "reports/site/jobs_summary.h"

/*
 * Adds to @summary the jobs that pass its filters and that this reader may see. The database applies the filters,
 * and sends only the columns that the summary needs.
 *
 * @since_us, @until_us: read only jobs that ended at or after @since_us and before @until_us; 0 means no bound
 *
 * Returns 0; -1 with @err set.
 */
int job_question_read(struct database *db, struct jobs_summary *summary, int64_t since_us, int64_t until_us,
		      struct error *err);

#endif
