/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads site.conf, which says where the store and its database are. A file that contains a password must not be
 * readable for everyone.
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

/* One of several databases. Each is a whole store of its clusters. */
struct site_database {
	char *where;
	char *clusters; /* with ", " between; empty: those that no other database has */
};

struct site_conf {
	char database[PATH_MAX];   /* a file, or postgresql://... */
	struct site_database *databases; /* if clusters have databases of their own: all of them, else NULL */
	size_t database_count;
	size_t chosen; /* which of them @database is */
	char store_dir[PATH_MAX];  /* the directory that contains new/ with the batches */
	char archive_dir[PATH_MAX];
	char store_user[SITE_TEXT]; /* owner of the batches; empty for the user of this process */
	char view_groups[SITE_TEXT]; /* groups whose members see all jobs */
	char clusters[SITE_TEXT]; /* whose batches are taken, with commas or blanks between; empty: any */
	struct retention keep;
	char time_zone[SITE_TEXT];  /* time zone for days; if empty, the database's or the machine's */
};

/*
 * Fills @conf from the file @path. If @path is NULL, reads SITE_CONF_PATH if that exists. The directory to which
 * nodes write, and the user who writes there, need to be set only once. If the file does not set them, they come from
 * @nodes.
 *
 * @nodes: stint.conf; NULL if it could not be read
 *
 * Returns 0, and the caller must call site_conf_free(); -1 with @err set, which names file and line.
 */
int site_conf_load(struct site_conf *conf, const char *path, const struct conf *nodes, struct error *err);

void site_conf_free(struct site_conf *conf);

/* Makes conf->databases[which] the database that is worked on. */
void site_conf_choose(struct site_conf *conf, size_t which);

/* Returns which of conf->databases has @cluster; conf->database_count if none has. */
size_t site_conf_database_of(const struct site_conf *conf, const char *cluster);

#define SITE_NO_DATABASE "site.conf names no database for its cluster"

/* Returns whether batches of @cluster are taken; false with @why set. */
bool site_conf_takes(const struct site_conf *conf, const char *cluster, struct error *why);

/* Names the clusters of a database in a message. */
const char *site_conf_whose(const struct site_database *database);

/*
 * Returns whether @list, the value of the key clusters, has the cluster @name. Slurm writes the names of clusters in lower case,
 * whatever slurm.conf has, so the list may have either.
 */
bool site_conf_lists(const char *list, const char *name);

#endif
