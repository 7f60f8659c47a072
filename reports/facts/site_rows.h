/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the jobs of the store as rows for a summary. */
#ifndef STINT_SITE_ROWS_H
#define STINT_SITE_ROWS_H

#include "reports/database/database.h"
#include "reports/site/job_row.h"

/* Receives a row, which is freed after the call. Returns 0; -1 with @err set, which ends the reading. */
typedef int site_rows_each(void *context, const struct job_row *row, struct error *err);

/* Which jobs to read. */
struct site_rows_wanted {
	int64_t since_us, until_us; /* bounds of the jobs' ends: at or after since_us, and before until_us; 0 for no bound */
	/*
	 * Read only jobs of this user or account, by an index; NULL for all. If there is a user, the account is
	 * ignored.
	 */
	const char *user, *account;
};

/*
 * Reads the jobs with their tools, and with those nodes that have a line. Only one job is in memory at a time.
 * Returns 0; -1 with @err set.
 */
int site_rows_read(struct database *db, const struct site_rows_wanted *wanted, site_rows_each *each, void *context,
		   struct error *err);

#endif
