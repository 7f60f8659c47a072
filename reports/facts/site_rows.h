/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of the store, as rows that a summary takes. */
#ifndef STINT_SITE_ROWS_H
#define STINT_SITE_ROWS_H

#include <stdbool.h>

#include "reports/database/database.h"
#include "reports/site/job_row.h"

/* Gets a row, which is freed afterwards. Returns 0; -1 with @err set, which ends the reading. */
typedef int site_rows_each(void *context, const struct job_row *row, struct error *err);

/*
 * Reads the jobs that ended from @since_us to @until_us - 1; 0: open to that side.
 *
 * @parts: with their tools and nodes; only nodes of which there is a line. Then a month's jobs are in memory at once.
 */
int site_rows_read(struct database *db, int64_t since_us, int64_t until_us, bool parts, site_rows_each *each, void *context,
		   struct error *err);

#endif
