/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens one database, or makes it again from the archive, and ingests batches into it. */
#ifndef STINT_ONE_DATABASE_H
#define STINT_ONE_DATABASE_H

#include "reports/cmd/ingest_options.h"
#include "reports/ingest/site_conf.h"

/* Does what @arguments ask for with the database of @conf. Returns the exit code. */
int one_database(const struct site_conf *conf, const struct ingest_options *arguments);

#endif
