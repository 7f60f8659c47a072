/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of the store, as rows that a summary takes. */
#ifndef STINT_SITE_ROWS_H
#define STINT_SITE_ROWS_H

#include "reports/database/database.h"
#include "reports/site/job_row.h"

/* Gets a row, which is freed afterwards. Returns 0; -1 with @err set, which ends the reading. */
typedef int site_rows_each(void *context, const struct job_row *row, struct error *err);

/* Which jobs are meant. */
struct site_rows_wanted {
	int64_t since_us, until_us; /* they ended from this moment on, and before that; 0: open to that side */
	/* Of these alone; NULL: of all. They are found by an index; account counts where there is no user. */
	const char *user, *account;
};

/*
 * Reads the jobs with their tools and nodes; only nodes of which there is a line. One is in memory at once.
 */
int site_rows_read(struct database *db, const struct site_rows_wanted *wanted, site_rows_each *each, void *context,
		   struct error *err);

#endif
