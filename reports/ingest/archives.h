/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the files of the archive with the database. */
#ifndef STINT_ARCHIVES_H
#define STINT_ARCHIVES_H

#include <dirent.h>
#include <stdbool.h>

#include "common/error.h"
#include "reports/database/database.h"
#include "reports/ingest/site_conf.h"

/* Part of a message for the case that the database is lost. Only the user can decide to rebuild it. */
#define ARCHIVES_GONE "has batches that were ingested: 'stint ingest --rebuild' makes it again from them"

/* For scandir(): returns whether @entry is an archive. */
int archives_is_one(const struct dirent *entry);

/* Returns whether the archive @name has only batches of other databases. */
bool archives_is_foreign(const char *name, const struct site_conf *conf);

/* Returns 1 if the archive has batches of the chosen database's clusters; 0 if not; -1 with @err set. */
int archives_found(const struct site_conf *conf, struct error *err);

/*
 * Finds out whether the database ever had a batch, and whether the archive has batches for it.
 *
 * Returns 0; -1 with @err set.
 */
int archives_compare(struct database *db, const struct site_conf *conf, bool *stored, bool *archived, struct error *err);

/* Fails if the database is empty although the archive has batches for it. Returns 0; -1 with @err set. */
int archives_check(struct database *db, const struct site_conf *conf, struct error *err);

#endif
