/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words behind the numbers in the tables. */
#ifndef STINT_WORDS_H
#define STINT_WORDS_H

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

/* Starts as all zero. */
struct words {
	struct map list; /* by (cluster, kind, id); data is the word */
};

#define WORDS_ALL ((1u << NAME_KINDS) - 1)

/*
 * Reads the names of clusters, and the words of some kinds. Users can make any number of tools, so callers that do not need these
 * should not read them.
 *
 * @kinds: a bit 1u << enum name_kind for each kind that is wanted
 *
 * Returns 0; -1 with @err set.
 */
int words_read(struct words *words, struct database *db, unsigned int kinds, struct error *err);

/*
 * Returns the word; NULL if there is none. If @kind is NAME_KINDS, returns the name of the cluster @id and ignores @cluster.
 */
const char *words_get(struct words *words, int64_t cluster, int kind, int64_t id);

void words_free(struct words *words);

#endif
