/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ingests batches into several databases at the same time. */
#ifndef STINT_ALL_DATABASES_H
#define STINT_ALL_DATABASES_H

#include "reports/cmd/ingest_options.h"
#include "reports/ingest/site_conf.h"

/*
 * Works on each database in a separate process. So if one database does not answer, the work on all others goes on.
 * With --watch, starts a process again after it has ended, with longer and longer pauses, and never returns.
 * Returns the exit code.
 */
int all_databases(struct site_conf *conf, const struct ingest_options *arguments);

#endif
