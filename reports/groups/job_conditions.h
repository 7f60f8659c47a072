/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns a period and the filters of a summary into conditions on rows of jobs. */
#ifndef STINT_JOB_CONDITIONS_H
#define STINT_JOB_CONDITIONS_H

#include "reports/facts/words.h"
#include "reports/site/jobs_summary.h"

#define JOB_CONDITIONS_MAX (2 * JOB_FILTERS_MAX + 4)
#define JOB_CONDITIONS_LIKE 32

/* The caller sets the members down to @until_us. */
struct job_conditions {
	struct database *db;
	struct words *words; /* has the names of clusters */
	int64_t cluster;
	int64_t since_us, until_us; /* jobs that ended at or after @since_us and before @until_us; 0: no bound */

	struct database_condition list[JOB_CONDITIONS_MAX];
	char likes[JOB_CONDITIONS_MAX][JOB_CONDITIONS_LIKE]; /* values of the conditions */
	size_t count;
	bool too_many; /* the list has no room for a condition */
	bool none;  /* no job can meet the conditions */
	bool found; /* an index on users or accounts finds the few jobs */
};

/*
 * Makes the list. It is valid as long as @all and the texts of the filters. Do not copy @all.
 *
 * Returns 0; -1 with @err set.
 */
int job_conditions_make(struct job_conditions *all, const struct job_filter *filters, size_t count, struct error *err);

#endif
