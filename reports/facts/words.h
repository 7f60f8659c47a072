/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the words behind the numbers of the tables. */
#ifndef STINT_WORDS_H
#define STINT_WORDS_H

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

/* Starts as all zero. */
struct words {
	struct map list; /* keys are (cluster, kind, number); data is the word */
};

#define WORDS_ALL ((1u << NAME_KINDS) - 1)

/*
 * Reads the clusters and some kinds of words. Users can make any number of tools, so read the words of tools only if
 * needed.
 *
 * @kinds: bits 1u << enum name_kind
 *
 * Returns 0; -1 with @err set.
 */
int words_read(struct words *words, struct database *db, unsigned int kinds, struct error *err);

/*
 * Returns the word with the number @id, or the name of the cluster @id if @kind is NAME_KINDS; NULL if there is no such
 * word.
 */
const char *words_get(struct words *words, int64_t cluster, int kind, int64_t id);

void words_free(struct words *words);

#endif
