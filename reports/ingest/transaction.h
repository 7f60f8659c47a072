/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds a group of batches to the tables, with their rows of the ledger, in one transaction. */
#ifndef STINT_TRANSACTION_H
#define STINT_TRANSACTION_H

#include "reports/ingest/batch.h"
#include "reports/ingest/jobs_update.h"

enum batch_state {
	BATCH_TAKEN,	/* was new, and is now in the tables */
	BATCH_KNOWN,	/* the ledger has the batch, but does not say that the archive has it */
	BATCH_ARCHIVED, /* the ledger has the batch, and says that the archive has it */
	BATCH_REFUSED	/* the ledger has a batch of this name with other bytes */
};

struct transaction_batch {
	struct batch batch;
	enum batch_state state;
	int64_t cluster;
	bool of_new_cluster; /* the first batch of its cluster, in a database that already had other clusters */
	int dirfd; /* the directory that contains the batch; -1 if none */
};

/* A batch of an earlier transaction that is now in the archive. The next transaction saves this in the ledger. */
struct transaction_note {
	int64_t cluster;
	char *name;
};

/*
 * Adds @batches in the open transaction, and sets their states. Their lines must already be read (lines_read.h).
 *
 * Returns 0; -1 with @err set, and the caller must roll back the transaction.
 */
int transaction_take(struct jobs_update *update, struct transaction_batch *batches, size_t count, bool archived,
		     struct error *err);

/* Saves in the ledger that these batches are in the archive. Returns 0; -1 with @err set. */
int transaction_note_archived(struct database *db, const struct transaction_note *notes, size_t count,
			      struct error *err);

#endif
