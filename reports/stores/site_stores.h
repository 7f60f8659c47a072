/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the databases of a site for reading: one database for all clusters, or several databases with some clusters
 * each (stint-site.conf(5)).
 */
#ifndef STINT_SITE_STORES_H
#define STINT_SITE_STORES_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/database/database.h"
#include "reports/ingest/site_conf.h"

struct site_store {
	struct database *db; /* NULL if it cannot be read */
	struct error why;    /* why not */
	const char *whose;   /* the names of its clusters, for messages */
	bool preferred;
};

struct site_stores {
	struct site_conf conf;
	struct site_store *list;
	size_t count;
};

/*
 * Reads site.conf. If site.conf does not name the directory to which nodes write, takes the directory from stint.conf.
 *
 * @config: path of stint.conf
 *
 * Return values are those of site_conf_load().
 */
int site_stores_conf(struct site_conf *conf, const char *site, const char *config, struct error *err);

/*
 * @cluster: if not NULL, opens only this cluster's database
 * @first: if not NULL, this cluster's database comes first, and is marked as preferred
 *
 * Returns 0 with err->text empty if at least one database can be read; -1 with @err set if no database can be read.
 */
int site_stores_open(struct site_stores *stores, const char *site, const char *cluster, const char *first, struct error *err);

void site_stores_close(struct site_stores *stores);

#endif
