/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out from the ledger of batches when a node delivered batches, and when it had to drop lines. */
#ifndef STINT_NODE_LEDGER_H
#define STINT_NODE_LEDGER_H

#include <stdint.h>

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

#define LATE_S (7 * INT64_C(86400)) /* a node may deliver a line this long after the job's end */

/* Initialize to all zero. */
struct node_ledger {
	struct map nodes; /* keys are names of nodes; data is what the node delivered */
	int64_t cluster;
};

/* Reads the batches of @cluster from the ledger. Returns 0; -1 with @err set. */
int node_ledger_read(struct node_ledger *ledger, struct database *db, int64_t cluster, struct error *err);

/*
 * Returns why @node has left no record of a job. Call it only for a job that has started.
 *
 * @end_us: when the job ended, in microseconds since 1970
 */
enum missing_reason node_ledger_reason(struct node_ledger *ledger, const char *node, int64_t end_us);

void node_ledger_free(struct node_ledger *ledger);

#endif
