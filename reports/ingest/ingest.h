/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ingests batches, each exactly once. A transaction adds some batches to the database. Then the batches go to the
 * archive, and at last they are removed from the store's directory. If the process is killed in between, the next
 * process continues.
 */
#ifndef STINT_INGEST_H
#define STINT_INGEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/ingest/batch.h"
#include "reports/ingest/site_conf.h"
#include "reports/rules/rules.h"

/* A setting of the database that is set until --rebuild has finished. */
#define INGEST_REBUILDING "rebuilding"

/* The node in the names of batches that the head node makes (ingest_take_own()). No node has this name. */
#define INGEST_OWN_NODE "stint-reconcile"

struct ingest {
	struct database *db; /* locked */
	const char *store_dir, *archive_dir;
	uid_t owner; /* of the batches */
	const struct site_conf *conf; /* says which clusters' batches to ingest, and which belong to another database */
	const struct rules *rules;
	int oldest; /* lines of jobs of earlier months are left out; 0 to take all lines */
	int64_t looked_us; /* when this process last saved that it had looked for batches (moments.h); 0 if never */

	/* Names that ingest_run() keeps for its next call. */
	struct map refused_names; /* refused batches about which a message was printed */
	struct map others_names;  /* batches that belong to another database */

	/* what was done */
	int64_t batches, lines, jobs, damaged, refused, late;
};

/*
 * Ingests all batches in the store's directory. Prints a line on standard error for each refused batch and each damaged
 * line. Fails if the database is empty although the archive has batches.
 *
 * Returns 0; -1 with @err set.
 */
int ingest_run(struct ingest *ingest, struct error *err);

/*
 * Ingests a batch that the head node made. Takes ownership of @batch. If the process is killed, the batch may be
 * missing in the archive, but not in the database.
 *
 * Returns 0; -1 with @err set.
 */
int ingest_take_own(struct ingest *ingest, struct batch *batch, struct error *err);

/*
 * Empties the database, and fills it from the archive. Changes nothing if the database has data and the archive has no
 * data.
 *
 * Returns 0; -1 with @err set.
 */
int ingest_rebuild(struct ingest *ingest, struct error *err);

#endif
