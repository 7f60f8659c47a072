/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ingests batches into a database that is open: once, again and again, for a rebuild, or for a night. */
#ifndef STINT_INGEST_DATABASE_H
#define STINT_INGEST_DATABASE_H

#include "common/error.h"
#include "reports/cmd/ingest_options.h"
#include "reports/database/database.h"
#include "reports/ingest/site_conf.h"

extern struct error ingest_damage; /* the damage that a rebuild has found in the database */

/*
 * Prints @text as the reason of a failure. If a rebuild found damage, stores @text in @ingest_damage instead, because
 * the rebuild then begins again with another file. Returns EXIT_FAILURE.
 */
int ingest_fail_at(const struct database *db, const struct ingest_options *arguments, const char *text);

/* Does what @arguments ask for with @db. Returns the exit code. With --watch, returns only on failure. */
int ingest_database(struct database *db, const struct site_conf *conf, const struct ingest_options *arguments);

#endif
