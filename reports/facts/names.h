/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers for words: users, accounts, nodes, tools. 0 stands for a word that is not known. */
#ifndef STINT_NAMES_H
#define STINT_NAMES_H

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

/* Starts as all zero. */
struct names {
	struct map words; /* by (cluster, kind, text); number is the id, 0 if not known yet */
	struct map next;  /* by (cluster, kind); number is the highest id */
	struct map clusters;
};

/*
 * Returns the number of the cluster @text, and creates it if it is new; -1 with @err set.
 */
int64_t names_cluster(struct names *names, struct database *db, const char *text, struct error *err);

/* Notes that the number of @text will be asked for. @text may be NULL. */
int names_want(struct names *names, int64_t cluster, enum name_kind kind, const char *text, struct error *err);

/* Finds the numbers of all noted words, and creates the new ones. */
int names_resolve(struct names *names, struct database *db, struct error *err);

/* Returns the number of a word that was noted and resolved. */
int64_t names_id(struct names *names, int64_t cluster, enum name_kind kind, const char *text);

/* Forgets all words. Call it after a failed transaction, or when there are many. */
void names_forget(struct names *names);

#endif
