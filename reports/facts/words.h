/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the words for the numbers that are in the tables. */
#ifndef STINT_WORDS_H
#define STINT_WORDS_H

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

/* Initialize to all zero. */
struct words {
	struct map list; /* keys are (cluster, kind, number); data is the word */
};

#define WORDS_ALL ((1u << NAME_KINDS) - 1)

/*
 * Reads the names of clusters, and the words of some kinds. Do not read the names of tools without need, because
 * users can create any number of these.
 *
 * @kinds: for each kind to read, the bit 1u << enum name_kind
 *
 * Returns 0; -1 with @err set.
 */
int words_read(struct words *words, struct database *db, unsigned int kinds, struct error *err);

/*
 * Returns the word whose number is @id; NULL if there is none. If @kind is NAME_KINDS, returns the name of the
 * cluster @id, and ignores @cluster.
 */
const char *words_get(struct words *words, int64_t cluster, int kind, int64_t id);

void words_free(struct words *words);

#endif
