/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The databases of a site, for readers: one, or several that have the jobs of some clusters each (stint-site.conf(5)). */
#ifndef STINT_SITE_STORES_H
#define STINT_SITE_STORES_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/database/database.h"
#include "reports/ingest/site_conf.h"

struct site_store {
	struct database *db; /* NULL if it cannot be read */
	struct error why;    /* why not */
	const char *whose;   /* its clusters, for messages */
	bool preferred;
};

struct site_stores {
	struct site_conf conf;
	struct site_store *list;
	size_t count;
};

/*
 * Reads site.conf. If it does not give the nodes' directory, reads this directory from stint.conf, @config.
 *
 * Returns as site_conf_load() does.
 */
int site_stores_conf(struct site_conf *conf, const char *site, const char *config, struct error *err);

/*
 * Opens the databases for reading.
 *
 * @cluster: opens only the database of this cluster; NULL for all databases
 * @first: the database of this cluster becomes the first one, and preferred; NULL for none
 *
 * Returns 0 if at least one of them can be read, and err->text is empty; -1 with @err set.
 */
int site_stores_open(struct site_stores *stores, const char *site, const char *cluster, const char *first, struct error *err);

void site_stores_close(struct site_stores *stores);

#endif
