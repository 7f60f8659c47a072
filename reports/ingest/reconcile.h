/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the store with slurmdbd, in windows of time. Finds jobs that left no record, and why. Finds jobs whose
 * account, QOS or state has changed.
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
	int keep_months; /* how many months of jobs the store keeps, or 0 for all; jobs submitted before are ignored */

	int failed; /* number of clusters that could not be compared completely */

	/* about the cluster that was compared last */
	int64_t from_s, jobs, recorded, missing[MISSING_REASONS], amended;
	int64_t unknown_job; /* the last job with MISSING_UNKNOWN; unknown_node is the node on which it ran */
	char unknown_node[256];
	int64_t skipped; /* number of windows for which Slurm did not answer; their times are printed on standard error */
};

/* Receives each cluster after it was compared. @why: why it could not be compared completely, or NULL */
typedef void reconcile_each(void *context, const char *cluster, const struct reconcile *reconcile,
			    const struct error *why);

/*
 * Compares all clusters. Begins where the previous run ended, minus the time by which records may be late. If a cluster
 * fails,
 * increments reconcile->failed and goes on.
 *
 * Returns 0; -1 with @err set, and what was compared stays in the store.
 */
int reconcile_run(struct reconcile *reconcile, reconcile_each *each, void *context, struct error *err);

#endif
