/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A summary of the store's jobs: from the rollups where these have what is asked for, else from the jobs' rows. Both
 * say the same.
 */
#ifndef STINT_SITE_SUMMARY_H
#define STINT_SITE_SUMMARY_H

#include "reports/database/database.h"
#include "reports/site/jobs_summary.h"

/*
 * Adds to @summary the jobs of its period, and of the period before where it compares with that, which this reader may
 * see.
 *
 * @from_rows: gets whether they were read from the jobs' rows alone
 *
 * Returns 0; -1 with @err set.
 */
int site_summary_read(struct database *store, struct jobs_summary *summary, bool *from_rows, struct error *err);

#endif
