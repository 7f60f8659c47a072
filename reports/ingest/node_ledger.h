/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers from the ledger of batches when a node delivered, and when it had to drop lines. */
#ifndef STINT_NODE_LEDGER_H
#define STINT_NODE_LEDGER_H

#include <stdint.h>

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

#define LATE_S (7 * INT64_C(86400)) /* how long a node may keep its lines */

/* Initialize to all zero. */
struct node_ledger {
	struct map nodes; /* by name; data is what the node delivered */
	int64_t cluster;
};

/* Reads the batches of @cluster. Returns 0; -1 with @err set. */
int node_ledger_read(struct node_ledger *ledger, struct database *db, int64_t cluster, struct error *err);

/*
 * Returns why @node has left no record of a job. The job must have started, and must have ended at @end_us, in
 * microseconds since 1970.
 */
enum missing_reason node_ledger_reason(struct node_ledger *ledger, const char *node, int64_t end_us);

void node_ledger_free(struct node_ledger *ledger);

#endif
