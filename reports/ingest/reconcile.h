/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the store with slurmdbd, in windows of time. Finds jobs that left no record, and the reason. Finds jobs
 * whose account, QOS or state has changed.
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
	int keep_months; /* how many months of jobs the store keeps; 0 for all. Jobs that were submitted earlier are ignored */

	int failed; /* number of clusters that could not be compared completely */

	/* about the cluster that was compared last */
	int64_t from_s, jobs, recorded, missing[MISSING_REASONS], amended;
	int64_t unknown_job; /* the last job with MISSING_UNKNOWN; it ran on the node unknown_node */
	char unknown_node[256];
	int64_t skipped; /* number of windows for which Slurm did not answer; their times are printed on standard error */
};

/* Receives each cluster after it was compared. @why: why the cluster could not be compared completely, or NULL */
typedef void reconcile_each(void *context, const char *cluster, const struct reconcile *reconcile,
			    const struct error *why);

/*
 * Compares all clusters. Begins before the end of the previous run, because records may arrive late. If a cluster
 * fails, increments reconcile->failed and goes on.
 *
 * Returns 0; -1 with @err set, and what was compared stays in the store.
 */
int reconcile_run(struct reconcile *reconcile, reconcile_each *each, void *context, struct error *err);

#endif
