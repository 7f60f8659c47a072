/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up those jobs of the store that a summary asks for. */
#ifndef STINT_JOB_QUESTION_H
#define STINT_JOB_QUESTION_H

#include "reports/database/database.h"
#include "reports/site/jobs_summary.h"

/*
 * Adds to @summary the jobs that pass its filters and that this reader may see.
 *
 * @since_us, @until_us: only jobs that ended at or after @since_us and before @until_us; 0 means no bound
 *
 * Returns 0; -1 with @err set.
 */
int job_question_read(struct database *db, struct jobs_summary *summary, int64_t since_us, int64_t until_us,
		      struct error *err);

#endif
