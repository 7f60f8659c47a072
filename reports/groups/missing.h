/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes what the store has about jobs that only Slurm knows. */
#ifndef STINT_MISSING_H
#define STINT_MISSING_H

#include "reports/database/database.h"
#include "reports/site/coverage.h"
#include "reports/site/job_groups.h"
#include "reports/site/untold.h"

/*
 * Fills @coverage for the jobs that ended in @period and pass the filters. The coverage is not known if a filter
 * needs a field that only a record has, or if the period was never compared with Slurm.
 *
 * Returns 0; -1 with @err set.
 */
int missing_count(struct database *db, const struct job_period *period, const struct job_filter *filters, size_t filter_count,
		  struct coverage *coverage, struct error *err);

/*
 * missing_untold() reads the times for which Slurm did not tell which jobs ended on a cluster. The other function
 * stores them in a transaction, if they have changed. Both return as missing_count() does.
 */
int missing_untold(struct database *db, int64_t cluster, struct untold *untold, struct error *err);
int missing_keep_untold(struct database *db, int64_t cluster, const struct untold *untold, struct error *err);

/*
 * Stores that rows of the months before @month are no longer kept, so it is not known which records were missing
 * then. Call it in a transaction. Returns as missing_count() does.
 */
int missing_forget_before(struct database *db, int month, struct error *err);

/*
 * Deletes how far the clusters were compared with Slurm. The next comparison then begins with the first job. Call it
 * in a transaction. Returns as missing_count() does.
 */
int missing_forget(struct database *db, struct error *err);

#endif
