/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a summary of the jobs in the store. Reads rollups if they have all numbers that the summary needs, and
 * otherwise the rows of the jobs. The result is the same.
 */
#ifndef STINT_SITE_SUMMARY_H
#define STINT_SITE_SUMMARY_H

#include "reports/database/database.h"
#include "reports/site/jobs_summary.h"

/*
 * Adds to @summary those jobs of its period that this reader may see. If the summary has a previous period, also
 * adds the jobs of that period.
 *
 * @from_rows: set to true if only rows of jobs were read, and no rollups
 *
 * Returns 0; -1 with @err set.
 */
int site_summary_read(struct database *store, struct jobs_summary *summary, bool *from_rows, struct error *err);

#endif
