/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One transaction: puts a group of batches into the tables, with their rows of the ledger. */
#ifndef STINT_TRANSACTION_H
#define STINT_TRANSACTION_H

#include "reports/ingest/batch.h"
#include "reports/ingest/jobs_update.h"

enum batch_state {
	BATCH_TAKEN,	/* new: it is in the tables now */
	BATCH_KNOWN,	/* the ledger has it, but not that it is in the archive */
	BATCH_ARCHIVED, /* the ledger has it, and that it is in the archive */
	BATCH_REFUSED	/* the ledger has a batch of this name with other bytes */
};

struct transaction_batch {
	struct batch batch;
	enum batch_state state;
	int64_t cluster;
	int dirfd; /* the directory in which it lies; -1: none */
};

/* A batch of an earlier transaction that is in the archive now. The next transaction notes that. */
struct transaction_note {
	int64_t cluster;
	char *name;
};

/*
 * Takes @batches, whose lines have been read (lines_read.h), in the open transaction, and sets their states.
 *
 * Returns 0; -1 with @err set, and the caller must roll back the transaction.
 */
int transaction_take(struct jobs_update *update, struct transaction_batch *batches, size_t count, bool archived,
		     struct error *err);

/* Notes in the ledger that these batches are in the archive. */
int transaction_note_archived(struct database *db, const struct transaction_note *notes, size_t count,
			      struct error *err);

#endif
