/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens one database, or makes it again from the archive, and ingests batches into it. */
#ifndef STINT_ONE_DATABASE_H
#define STINT_ONE_DATABASE_H

#include <stdbool.h>

#include "reports/cmd/ingest_options.h"
#include "reports/ingest/site_conf.h"

/*
 * Returns true with @err set if the database's file is missing although the archive has batches, or if it is not
 * known whether it has any. Returns false if the file's directory is missing, too, because opening the database
 * then says so.
 */
bool one_database_is_gone(const struct site_conf *conf, struct error *err);

/* Does what @arguments ask for with the database of @conf. Returns the exit code. */
int one_database(const struct site_conf *conf, const struct ingest_options *arguments);

#endif
