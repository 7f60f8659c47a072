/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of words: users, accounts, nodes, tools. 0 is a word that is not known. */
#ifndef STINT_NAMES_H
#define STINT_NAMES_H

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

/* Begins as all zero. */
struct names {
	struct map words; /* of (cluster, kind, text); number: the id, 0: not known yet */
	struct map next;  /* of (cluster, kind): the highest id */
	struct map clusters;
};

/*
 * Returns the number of the cluster @text, made where it is new; -1 with @err set.
 */
int64_t names_cluster(struct names *names, struct database *db, const char *text, struct error *err);

/* Notes that the number of @text will be asked for. @text may be NULL. */
int names_want(struct names *names, int64_t cluster, enum name_kind kind, const char *text, struct error *err);

/* Finds the numbers of all that was noted, and makes those that are new. */
int names_resolve(struct names *names, struct database *db, struct error *err);

/* Returns the number of a word that was noted and resolved. */
int64_t names_id(struct names *names, int64_t cluster, enum name_kind kind, const char *text);

/* After a transaction that came to nothing, or when there are many. */
void names_forget(struct names *names);

#endif
