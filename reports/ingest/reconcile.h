/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the store with slurmdbd, one window of time after the other. It finds the jobs that left no record, and
 * why. It also finds the jobs whose account or state has changed since their records were made.
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
	int keep_months; /* how many months of jobs are kept; 0 for all; jobs submitted before these are ignored */

	int failed; /* number of clusters that could not be done completely */

	/* for the cluster that was done last */
	int64_t from_s, jobs, recorded, missing[MISSING_REASONS], amended;
	int64_t unknown_job; /* the last job with MISSING_UNKNOWN; it ran on @unknown_node */
	char unknown_node[256];
	int64_t skipped; /* number of windows for which Slurm did not tell; each such time is named on standard error */
};

/* Receives each cluster when it is done. @why: why it could not be done completely, or NULL */
typedef void reconcile_each(void *context, const char *cluster, const struct reconcile *reconcile,
			    const struct error *why);

/*
 * Reconciles all clusters that the store knows. For each cluster, begins where the previous run ended, minus the time
 * by which records may be late. If a cluster fails, the others are still done, and reconcile->failed is incremented.
 *
 * Returns 0; -1 with @err set. What was done before stays.
 */
int reconcile_run(struct reconcile *reconcile, reconcile_each *each, void *context, struct error *err);

#endif
