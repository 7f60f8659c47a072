/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out from the ledger when a node delivered batches, and when it dropped lines. */
#ifndef STINT_NODE_LEDGER_H
#define STINT_NODE_LEDGER_H

#include <stdint.h>

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

#define LATE_S (7 * INT64_C(86400)) /* a node may deliver a line this long after the job's end */

/* Starts as all zero. */
struct node_ledger {
	struct map nodes; /* keys are names of nodes; data is what the node delivered */
	int64_t cluster;
};

/* Reads the batches of @cluster. Returns 0; -1 with @err set. */
int node_ledger_read(struct node_ledger *ledger, struct database *db, int64_t cluster, struct error *err);

/*
 * Returns why @node has no record of a job that has started.
 *
 * @end_us: the job's end, in microseconds since 1970
 */
enum missing_reason node_ledger_reason(struct node_ledger *ledger, const char *node, int64_t end_us);

void node_ledger_free(struct node_ledger *ledger);

#endif
