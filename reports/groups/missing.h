/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The store's jobs that only Slurm knows. */
#ifndef STINT_MISSING_H
#define STINT_MISSING_H

#include "reports/database/database.h"
#include "reports/site/coverage.h"
#include "reports/site/job_groups.h"
#include "reports/site/untold.h"

/*
 * Fills @coverage for the jobs that ended in @period and pass the filters. If a filter asks for something that only a record has,
 * the coverage is not known. It is also not known for times that were never compared.
 *
 * Returns 0; -1 with @err set.
 */
int missing_count(struct database *db, const struct job_period *period, const struct job_filter *filters, size_t filter_count,
		  struct coverage *coverage, struct error *err);

/*
 * The first fills @untold with the times for which Slurm did not tell which jobs ended on a cluster. The second stores them, in a
 * transaction, if they have changed. Both return as missing_count().
 */
int missing_untold(struct database *db, int64_t cluster, struct untold *untold, struct error *err);
int missing_keep_untold(struct database *db, int64_t cluster, const struct untold *untold, struct error *err);

/*
 * Notes that rows of the months before @month are no longer kept, so that it is not known what was missing then. Call it in a
 * transaction. Returns as missing_count().
 */
int missing_forget_before(struct database *db, int month, struct error *err);

/*
 * Forgets how far the clusters were compared, so that the next comparison begins with the first job. Call it in a transaction.
 * Returns as missing_count().
 */
int missing_forget(struct database *db, struct error *err);

#endif
