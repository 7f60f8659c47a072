/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the store knows about jobs without a record. */
#ifndef STINT_MISSING_H
#define STINT_MISSING_H

#include "reports/database/database.h"
#include "reports/site/coverage.h"
#include "reports/site/job_groups.h"
#include "reports/site/untold.h"

/*
 * Fills @coverage for jobs that ended in @period and pass the filters.
 * Leaves @coverage unknown if a filter needs what only records have, or if the period was never compared with Slurm.
 *
 * Returns 0; -1 with @err set.
 */
int missing_count(struct database *db, const struct job_period *period, const struct job_filter *filters, size_t filter_count,
		  struct coverage *coverage, struct error *err);

/*
 * missing_untold() reads the times for which Slurm did not say which jobs ended on @cluster.
 * missing_keep_untold() saves them if they have changed. Call it in a transaction.
 *
 * Return 0; -1 with @err set.
 */
int missing_untold(struct database *db, int64_t cluster, struct untold *untold, struct error *err);
int missing_keep_untold(struct database *db, int64_t cluster, const struct untold *untold, struct error *err);

/*
 * Notes that the store has no rows of months before @month any more. So it is not known which jobs of these months are
 * missing.
 * Call it in a transaction. Returns 0; -1 with @err set.
 */
int missing_forget_before(struct database *db, int month, struct error *err);

/*
 * Deletes the times for which clusters were compared with Slurm. The next comparison begins with the first job.
 * Call it in a transaction. Returns 0; -1 with @err set.
 */
int missing_forget(struct database *db, struct error *err);

#endif
