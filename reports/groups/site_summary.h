/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a summary of the store's jobs. If the rollups have all numbers that are needed, they are used, else the jobs'
 * rows. Both give the same result.
 */
#ifndef STINT_SITE_SUMMARY_H
#define STINT_SITE_SUMMARY_H

#include "reports/database/database.h"
#include "reports/site/jobs_summary.h"

/*
 * Adds to @summary the jobs of its period that this reader may see. If the summary compares two periods, also adds
 * the jobs of the previous one.
 *
 * @from_rows: set to whether only the jobs' rows were read
 *
 * Returns 0; -1 with @err set.
 */
int site_summary_read(struct database *store, struct jobs_summary *summary, bool *from_rows, struct error *err);

#endif
