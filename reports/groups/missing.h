/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of the store of which Slurm knows alone. */
#ifndef STINT_MISSING_H
#define STINT_MISSING_H

#include "reports/database/database.h"
#include "reports/site/coverage.h"
#include "reports/site/job_groups.h"
#include "reports/site/untold.h"

/*
 * Fills @coverage for the jobs that ended in @period and pass the filters.
 * If a filter asks for what only a record has, nothing is known; nor of times that were never compared.
 *
 * Returns 0; -1 with @err set.
 */
int missing_count(struct database *db, const struct job_period *period, const struct job_filter *filters, size_t filter_count,
		  struct coverage *coverage, struct error *err);

/*
 * Fills @untold with the times of which Slurm did not tell what ended in them on a cluster; and keeps them, where they
 * are others than before. In a transaction. Both return as missing_count().
 */
int missing_untold(struct database *db, int64_t cluster, struct untold *untold, struct error *err);
int missing_keep_untold(struct database *db, int64_t cluster, const struct untold *untold, struct error *err);

/*
 * Notes that rows of the months before @month are kept no longer: what was missing then is not known. In a
 * transaction. Returns as missing_count().
 */
int missing_forget_before(struct database *db, int month, struct error *err);

/*
 * Forgets how far the clusters were compared: the next time begins with the first job. In a transaction. Returns as
 * missing_count().
 */
int missing_forget(struct database *db, struct error *err);

#endif
