/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the jobs of the store, as rows for a summary. */
#ifndef STINT_SITE_ROWS_H
#define STINT_SITE_ROWS_H

#include "reports/database/database.h"
#include "reports/site/job_row.h"

/* Gets a row, which is freed afterwards. Returns 0; -1 with @err set stops the reading. */
typedef int site_rows_each(void *context, const struct job_row *row, struct error *err);

/* Which jobs to read. */
struct site_rows_wanted {
	int64_t since_us, until_us; /* bounds of the jobs' ends: from since_us on, and before until_us; 0: no bound on that side */
	/* Only jobs of this user or account; NULL: of all. An index finds them. If there is a user, account is ignored. */
	const char *user, *account;
};

/*
 * Reads the jobs with their tools and nodes, but only nodes that have a line. Only one job is in memory at a time.
 */
int site_rows_read(struct database *db, const struct site_rows_wanted *wanted, site_rows_each *each, void *context,
		   struct error *err);

#endif
