/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assigns numbers to words: users, accounts, nodes, tools. The number 0 stands for an unknown word. */
#ifndef STINT_NAMES_H
#define STINT_NAMES_H

#include <stdbool.h>

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

/* Initialize to all zero. */
struct names {
	struct map words; /* by (cluster, kind, text); number is the word's number, 0 if not known yet */
	struct map next;  /* by (cluster, kind); number is the highest number in use */
	struct map clusters;
};

/*
 * Returns the number of the cluster @text. Creates the cluster if it is new. Returns -1 with @err set.
 *
 * @another: set to whether the cluster is new in a database that already had other clusters
 */
int64_t names_cluster(struct names *names, struct database *db, const char *text, bool *another, struct error *err);

/* Adds @text to the words whose numbers names_resolve() finds. @text may be NULL. Returns 0; -1 with @err set. */
int names_want(struct names *names, int64_t cluster, enum name_kind kind, const char *text, struct error *err);

/* Finds the numbers of all these words. Creates numbers for the new words. Returns 0; -1 with @err set. */
int names_resolve(struct names *names, struct database *db, struct error *err);

/* Returns the number of a word. Call names_want() and names_resolve() first. */
int64_t names_id(struct names *names, int64_t cluster, enum name_kind kind, const char *text);

/* Removes all words from memory. Call it after a failed transaction, or if there are many words. */
void names_forget(struct names *names);

#endif
