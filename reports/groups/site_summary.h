/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A summary of the store's jobs. It comes from the rollups if they have what is asked for, otherwise from the jobs' rows. Both give
 * the same result.
 */
#ifndef STINT_SITE_SUMMARY_H
#define STINT_SITE_SUMMARY_H

#include "reports/database/database.h"
#include "reports/site/jobs_summary.h"

/*
 * Adds to @summary the jobs that this reader may see: those of its period, and, if it compares the two, those of the period before.
 *
 * @from_rows: gets whether only the jobs' rows were read
 *
 * Returns 0; -1 with @err set.
 */
int site_summary_read(struct database *store, struct jobs_summary *summary, bool *from_rows, struct error *err);

#endif
