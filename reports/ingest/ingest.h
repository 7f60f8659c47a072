/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ingests batches, each exactly once. A transaction adds a group of batches to the database. After that, they are
 * added to the archive, and at last they are removed from the store's directory. If the process is killed between
 * these steps, the next process continues.
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

/* Name of a setting that the database has until --rebuild has finished. */
#define INGEST_REBUILDING "rebuilding"

/*
 * The node in the names of batches that the head node itself makes (ingest_take_own()). No real node has this
 * name.
 */
#define INGEST_OWN_NODE "stint-reconcile"

struct ingest {
	struct database *db; /* locked */
	const char *store_dir, *archive_dir;
	uid_t owner; /* of the batches */
	const struct site_conf *conf; /* says which clusters' batches to ingest, and which belong to another database */
	const struct rules *rules;
	int oldest; /* lines of jobs of months before this one are left out; 0 if none are */
	int64_t looked_us; /* when this process last saved that it had looked for batches (moments.h); 0 if never */

	/* Names that ingest_run() keeps for the next time that it is called. */
	struct map refused_names; /* refused batches about which a message was printed */
	struct map others_names;  /* batches that belong to another database */

	/* what was done */
	int64_t batches, lines, jobs, damaged, refused, late;
};

/*
 * Ingests all batches in the store's directory. Prints a line on standard error for each batch that is refused,
 * and for each damaged line. Fails if the database is empty although the archive has batches.
 *
 * Returns 0; -1 with @err set.
 */
int ingest_run(struct ingest *ingest, struct error *err);

/*
 * Ingests a batch that the head node itself made: adds it to the database, and next to the archive. Takes
 * ownership of @batch. If the process is killed between these steps, the batch is missing only in the archive.
 *
 * Return values are those of ingest_run().
 */
int ingest_take_own(struct ingest *ingest, struct batch *batch, struct error *err);

/*
 * Empties the database, and fills it from the archive. Fails without a change if the database has data but the
 * archive has none. Return values are those of ingest_run().
 */
int ingest_rebuild(struct ingest *ingest, struct error *err);

#endif
