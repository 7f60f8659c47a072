/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the store with slurmdbd, by windows of time: which jobs there are of which no record came, and why; and
 * which jobs' accounts and states have changed since their records were made.
 */
#ifndef STINT_RECONCILE_H
#define STINT_RECONCILE_H

#include <stdint.h>

#include "reports/facts/site_tables.h"
#include "reports/ingest/ingest.h"

struct reconcile {
	struct ingest *ingest;
	int64_t now_s;
	const char *view_groups;
	int keep_months; /* of jobs; 0: all. What was submitted before is not looked for */

	int failed; /* clusters of which not all could be done */

	/* of the cluster that was done last */
	int64_t from_s, jobs, recorded, missing[MISSING_REASONS], amended;
	int64_t unknown_job; /* the last one for MISSING_UNKNOWN, on @unknown_node */
	char unknown_node[256];
	int64_t skipped; /* windows of which Slurm did not tell; each time of them is named on standard error */
};

/* Gets each cluster, when it is done; @why not all of it could be, or NULL. */
typedef void reconcile_each(void *context, const char *cluster, const struct reconcile *reconcile,
			    const struct error *why);

/*
 * Reconciles all clusters that the store knows. Each begins where the one before ended, less the time for which records
 * may be late. Where one fails, the others are done all the same: reconcile->failed.
 *
 * Returns 0; -1 with @err set. What was done until then stays.
 */
int reconcile_run(struct reconcile *reconcile, reconcile_each *each, void *context, struct error *err);

#endif
