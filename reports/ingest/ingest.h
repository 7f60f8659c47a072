/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes batches into the database, exactly once: one transaction for a group of them; then they go to the archive, and
 * then they are removed. Whatever of this a killed process has not done, the next one does.
 */
#ifndef STINT_INGEST_H
#define STINT_INGEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "reports/database/database.h"
#include "reports/ingest/batch.h"
#include "reports/rules/rules.h"

/* A setting of the database that has a text while --rebuild has not come to its end. */
#define INGEST_REBUILDING "rebuilding"

struct ingest {
	struct database *db; /* locked */
	const char *store_dir, *archive_dir;
	uid_t owner; /* of the batches */
	const struct rules *rules;
	int oldest; /* month of whose jobs lines are taken; 0: of any */
	bool progress; /* standard error shows how far it is */

	/* what was done */
	int64_t batches, lines, jobs, damaged, refused, late;
};

/*
 * Takes all batches that are there. What is refused or damaged gets a line on standard error.
 *
 * Returns 0; -1 with @err set.
 */
int ingest_run(struct ingest *ingest, struct error *err);

/*
 * Takes a batch that the head made itself, and puts it into the archive. @batch is taken over. A process that is killed
 * between both leaves it out of the archive alone.
 *
 * Returns as ingest_run().
 */
int ingest_take_own(struct ingest *ingest, struct batch *batch, struct error *err);

/* Empties the database, and fills it from the archive. Returns as ingest_run(). */
int ingest_rebuild(struct ingest *ingest, struct error *err);

#endif
