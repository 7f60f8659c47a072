/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a summary of the jobs in the store: from rollups if they have all that the summary needs, otherwise from the
 * jobs' rows. The result is the same from both.
 */
#ifndef STINT_SITE_SUMMARY_H
#define STINT_SITE_SUMMARY_H

#include "reports/database/database.h"
#include "reports/site/jobs_summary.h"

/*
 * Adds those jobs of the period and of the previous period that this reader may see.
 *
 * @from_rows: set to true if no rollups were read
 *
 * Returns 0; -1 with @err set.
 */
int site_summary_read(struct database *store, struct jobs_summary *summary, bool *from_rows, struct error *err);

#endif
