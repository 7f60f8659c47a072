/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/stores/site_stores.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "reports/stores/site_zone.h"
#include "reports/facts/site_tables.h"

#define MINE_INSTEAD "'stint summary --mine' has your own"

int site_stores_conf(struct site_conf *conf, const char *site, const char *config, struct error *err)
{
	struct error warning, why;
	struct conf nodes;
	bool known = conf_load_known(&nodes, config, &warning, &why) == 0;

	return site_conf_load(conf, site, known ? &nodes : NULL, err);
}

static struct database *open_database(const char *where, struct error *err)
{
	struct database *db;
	struct error why;

	if (where[0] == '/' && access(where, R_OK) < 0 && errno == EACCES) {
		error_set(err, "%.300s: Permission denied: a reader of this file sees all users' jobs; " MINE_INSTEAD, where);
		return NULL;
	}
	if (where[0] == '/' && access(where, F_OK) < 0 && errno == ENOENT) {
		error_set(err, "%.300s: there is no such database yet: 'stint ingest' makes it", where);
		return NULL;
	}
	db = database_open(where, site_tables, true, &why);
	if (!db && where[0] != '/') /* advise --mine: it needs no permission in a database */
		error_set(err, "%.400s; " MINE_INSTEAD, why.text);
	else if (!db)
		*err = why;
	return db;
}

static void open_store(struct site_store *store, const char *where, const struct site_conf *conf)
{
	store->db = open_database(where, &store->why);
	if (store->db && site_zone_use(store->db, conf, true, &store->why) < 0) {
		database_close(store->db);
		store->db = NULL;
	}
}

static void open_several(struct site_stores *stores, const char *cluster, const char *first)
{
	const struct site_conf *conf = &stores->conf;
	size_t only = cluster ? site_conf_database_of(conf, cluster) : conf->database_count;
	size_t before = first && *first ? site_conf_database_of(conf, first) : conf->database_count;

	for (size_t k = 0; k <= conf->database_count; k++) {
		/* begin with the preferred database, and skip it later */
		size_t i = k == 0 ? before : k - 1;
		struct site_store *store = &stores->list[stores->count];

		if (i == conf->database_count || (k > 0 && i == before) || (only < conf->database_count && i != only))
			continue;
		store->whose = site_conf_whose(&conf->databases[i]);
		store->preferred = k == 0;
		open_store(store, conf->databases[i].where, conf);
		stores->count++;
	}
}

int site_stores_open(struct site_stores *stores, const char *site, const char *cluster, const char *first, struct error *err)
{
	*stores = (struct site_stores){ 0 };
	if (site_stores_conf(&stores->conf, site, NULL, err) < 0)
		return -1;
	stores->list = calloc(stores->conf.database_count + 1, sizeof(*stores->list));
	if (!stores->list)
		return error_set(err, "out of memory");
	if (stores->conf.database_count) {
		open_several(stores, cluster, first);
	} else {
		open_store(&stores->list[0], stores->conf.database, &stores->conf);
		stores->list[0].whose = "all clusters";
		stores->count = 1;
	}
	err->text[0] = '\0';
	for (size_t i = 0; i < stores->count; i++)
		if (stores->list[i].db)
			return 0;
	*err = stores->list[0].why;
	return -1;
}

void site_stores_close(struct site_stores *stores)
{
	for (size_t i = 0; i < stores->count; i++)
		database_close(stores->list[i].db);
	free(stores->list);
	stores->list = NULL;
	stores->count = 0;
	site_conf_free(&stores->conf);
}
