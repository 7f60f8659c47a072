/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assigns numbers to words: names of users, accounts, nodes, tools and others. 0 means not known. */
#ifndef STINT_NAMES_H
#define STINT_NAMES_H

#include <stdbool.h>

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

/* Starts as all zero. */
struct names {
	struct map words; /* keys are (cluster, kind, text); the number of the entry is the word's number, or 0 if not known yet */
	struct map next;  /* keys are (cluster, kind); the number of the entry is the highest number in use */
	struct map clusters;
};

/*
 * Returns the number of the cluster named @text; -1 with @err set. Adds the cluster if it is new.
 *
 * @another: set to true if the cluster is new and the database already has another cluster
 */
int64_t names_cluster(struct names *names, struct database *db, const char *text, bool *another, struct error *err);

/* Makes names_resolve() find the number of @text, which may be NULL. Returns 0; -1 with @err set. */
int names_want(struct names *names, int64_t cluster, enum name_kind kind, const char *text, struct error *err);

/* Finds the numbers of all wanted words, and assigns numbers to new words. Returns 0; -1 with @err set. */
int names_resolve(struct names *names, struct database *db, struct error *err);

/* Returns the number of a wanted and resolved word. */
int64_t names_id(struct names *names, int64_t cluster, enum name_kind kind, const char *text);

/*
 * Forgets all words. Call it after a failed transaction, because the database does not have the transaction's new
 * numbers.
 */
void names_forget(struct names *names);

#endif
