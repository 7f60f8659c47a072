/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds a group of batches to the tables and to the ledger, in one transaction. */
#ifndef STINT_TRANSACTION_H
#define STINT_TRANSACTION_H

#include "reports/ingest/batch.h"
#include "reports/ingest/jobs_update.h"

enum batch_state {
	BATCH_TAKEN,	/* the batch was new, and is now in the tables */
	BATCH_KNOWN,	/* the ledger has the batch, but does not say that the archive has it */
	BATCH_ARCHIVED, /* the ledger has the batch, and says that the archive has it */
	BATCH_REFUSED	/* the ledger has another batch with the same name */
};

struct transaction_batch {
	struct batch batch;
	enum batch_state state;
	int64_t cluster;
	bool of_new_cluster; /* this is the first batch of its cluster, and the database already had other clusters */
	int dirfd; /* the directory in which the batch is; -1 if it is in no directory */
};

/* A batch that is in the archive, while the ledger does not say so yet. */
struct transaction_note {
	int64_t cluster;
	char *name;
};

/*
 * Adds @batches in the open transaction, and sets their states. The batches' lines must be read before (lines_read.h).
 *
 * Returns 0; -1 with @err set, and the caller must roll back.
 */
int transaction_take(struct jobs_update *update, struct transaction_batch *batches, size_t count, bool archived,
		     struct error *err);

/* Saves in the ledger that the archive has these batches. Returns 0; -1 with @err set. */
int transaction_note_archived(struct database *db, const struct transaction_note *notes, size_t count,
			      struct error *err);

#endif
