/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads site.conf, which says where the store and its database are. Refuses a file with a password that everyone can
 * read.
 */
#ifndef STINT_SITE_CONF_H
#define STINT_SITE_CONF_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/conf.h"
#include "common/error.h"
#include "reports/ingest/retention.h"

#define SITE_CONF_PATH SYSCONFDIR "/stint/site.conf"
#define SITE_TEXT 512

/* One of several databases, with all data of its clusters. */
struct site_database {
	char *where;
	char *clusters; /* names of its clusters, with ", " between; empty for the database of all other clusters */
};

struct site_conf {
	char database[PATH_MAX];   /* a file, or postgresql://... */
	struct site_database *databases; /* all databases, if site.conf names databases for single clusters; otherwise NULL */
	size_t database_count;
	size_t chosen; /* index in @databases of the database in use */
	char store_dir[PATH_MAX];  /* the directory in which new/ has the batches */
	char archive_dir[PATH_MAX];
	char store_user[SITE_TEXT]; /* owner of the batches; empty if it is the user of this process */
	char view_groups[SITE_TEXT]; /* names of groups whose members may see all jobs */
	/* names of the clusters to ingest, with commas or blanks between; empty for all */
	char clusters[SITE_TEXT];
	struct retention keep;
	char time_zone[SITE_TEXT];  /* time zone in which days are counted; empty: the zone of the database or of the machine */
};

/*
 * Fills @conf from the file @path. If @path is NULL, reads SITE_CONF_PATH, or uses the defaults. The directory and the
 * user of the store come from @nodes if the file does not set them.
 *
 * @nodes: the settings of stint.conf; NULL if it could not be read
 *
 * Returns 0, and the caller must call site_conf_free(); -1 with @err set, which names the file and the line.
 */
int site_conf_load(struct site_conf *conf, const char *path, const struct conf *nodes, struct error *err);

void site_conf_free(struct site_conf *conf);

/* Makes conf->databases[@which] the chosen database. */
void site_conf_choose(struct site_conf *conf, size_t which);

/* Returns the index of the database of @cluster; conf->database_count if @cluster has no database. */
size_t site_conf_database_of(const struct site_conf *conf, const char *cluster);

#define SITE_NO_DATABASE "site.conf names no database for its cluster"

/* Returns whether to ingest batches of @cluster. If not, sets @why. */
bool site_conf_takes(const struct site_conf *conf, const char *cluster, struct error *why);

/* Returns the names of the database's clusters, for a message. */
const char *site_conf_whose(const struct site_database *database);

/*
 * Returns whether @list, a value of "clusters", has the cluster @name. Ignores case, because Slurm writes clusters in
 * lower case.
 */
bool site_conf_lists(const char *list, const char *name);

#endif
