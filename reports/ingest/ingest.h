/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts batches into the database, each exactly once. One transaction adds a group of batches. Next, they are added to
 * the archive, and finally they are removed from the store's directory. If a process is killed, the next process
 * continues.
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

/* The node of the batches that the head node itself makes (ingest_take_own()). No real node has this name. */
#define INGEST_OWN_NODE "stint-reconcile"

/* Why a database that is gone is not made again without being asked. */
#define INGEST_GONE "has batches that were ingested: 'stint ingest --rebuild' makes it again from them"

struct ingest {
	struct database *db; /* locked */
	const char *store_dir, *archive_dir;
	uid_t owner; /* of the batches */
	const struct site_conf *conf; /* says which clusters' batches are taken, and which are another database's */
	const struct rules *rules;
	int oldest; /* a month; lines of jobs of earlier months are left out; 0 if no lines are left out */
	int64_t looked_us; /* when a run of this process last noted that it had looked (moments.h); 0 if none did */

	/* ingest_run() may run again and again: these are kept in between */
	struct map refused_names; /* the refused batches that a line has named */
	struct map others_names;  /* batches that are another database's */

	/* what was done */
	int64_t batches, lines, jobs, damaged, refused, late;
};

/*
 * Returns 1 if the archive has batches of the chosen database's clusters; 0 if it has none, or does not exist; -1 with
 * @err set.
 */
int ingest_archived(const struct site_conf *conf, struct error *err);

/*
 * Puts all batches that are in the store's directory into the database. Prints a line on standard error for
 * everything that is refused or damaged. Fails if the database is empty although the archive has batches.
 *
 * Returns 0; -1 with @err set.
 */
int ingest_run(struct ingest *ingest, struct error *err);

/*
 * Puts a batch that the head node made itself into the database, and next into the archive. Takes ownership of
 * @batch. If the process is killed between both steps, only the archive lacks the batch.
 *
 * Returns as ingest_run() does.
 */
int ingest_take_own(struct ingest *ingest, struct batch *batch, struct error *err);

/*
 * Empties the database, and fills it from the archive. Changes nothing if only the database has data. Returns as
 * ingest_run() does.
 */
int ingest_rebuild(struct ingest *ingest, struct error *err);

#endif
