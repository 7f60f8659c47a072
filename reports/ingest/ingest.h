/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes batches into the database, exactly once. One transaction takes a group of batches; then they go to the archive, and then
 * they are removed. If a process is killed, the next one does what is left.
 */
#ifndef STINT_INGEST_H
#define STINT_INGEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "reports/database/database.h"
#include "reports/ingest/batch.h"
#include "reports/rules/rules.h"

/* A setting of the database that is not empty until --rebuild has finished. */
#define INGEST_REBUILDING "rebuilding"

struct ingest {
	struct database *db; /* locked */
	const char *store_dir, *archive_dir;
	uid_t owner; /* of the batches */
	const struct rules *rules;
	int oldest; /* month; lines of jobs of earlier months are not taken; 0: all are taken */
	bool progress; /* show the progress on standard error */

	/* what was done */
	int64_t batches, lines, jobs, damaged, refused, late;
};

/*
 * Takes all batches that are there. Prints a line on standard error for everything that is refused or damaged.
 *
 * Returns 0; -1 with @err set.
 */
int ingest_run(struct ingest *ingest, struct error *err);

/*
 * Takes a batch that the head node made itself, and puts it into the archive. Takes over @batch. If the process is killed in
 * between, only the archive lacks the batch.
 *
 * Returns as ingest_run().
 */
int ingest_take_own(struct ingest *ingest, struct batch *batch, struct error *err);

/* Empties the database, and fills it from the archive. Returns as ingest_run(). */
int ingest_rebuild(struct ingest *ingest, struct error *err);

#endif
