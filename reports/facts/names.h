/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assigns numbers to words such as the names of users, accounts, nodes and tools. The number 0 means that a word
 * is not known.
 */
#ifndef STINT_NAMES_H
#define STINT_NAMES_H

#include <stdbool.h>

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

/* Initialize to all zero. */
struct names {
	struct map words; /* keys are (cluster, kind, text); the number of the entry is that of the word, or 0 if not known yet */
	struct map next;  /* keys are (cluster, kind); the number of the entry is the highest one in use */
	struct map clusters;
};

/*
 * Returns the number of the cluster @text. Adds the cluster to the database if it is new. Returns -1 with @err set
 * if it fails.
 *
 * @another: set to true if the cluster is new and the database already has other clusters
 */
int64_t names_cluster(struct names *names, struct database *db, const char *text, bool *another, struct error *err);

/*
 * Makes names_resolve() find the number of the word @text, too. Does nothing if @text is NULL. Returns 0; -1 with
 * @err set.
 */
int names_want(struct names *names, int64_t cluster, enum name_kind kind, const char *text, struct error *err);

/*
 * Finds the numbers of all words that were passed to names_want(). Assigns numbers to new words. Returns 0; -1
 * with @err set.
 */
int names_resolve(struct names *names, struct database *db, struct error *err);

/* Returns the number of a word. Call names_want() and names_resolve() first. */
int64_t names_id(struct names *names, int64_t cluster, enum name_kind kind, const char *text);

/*
 * Forgets all words that are in memory. Call it after a failed transaction, because its new numbers are not in the
 * database, or if there are many words.
 */
void names_forget(struct names *names);

#endif
