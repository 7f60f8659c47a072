/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words behind the numbers in the tables. */
#ifndef STINT_WORDS_H
#define STINT_WORDS_H

#include "common/memory/map.h"
#include "reports/database/database.h"
#include "reports/facts/site_tables.h"

/* Begins as all zero. */
struct words {
	struct map list; /* of (cluster, kind, id): data is the word */
};

#define WORDS_ALL ((1u << NAME_KINDS) - 1)

/*
 * Reads the names of clusters, and the words of some kinds. Of tools there are as many as users like: who does not need them does
 * not read them.
 *
 * @kinds: 1u << an enum name_kind, of each that is wanted
 *
 * Returns 0; -1 with @err set.
 */
int words_read(struct words *words, struct database *db, unsigned int kinds, struct error *err);

/*
 * Returns the word, or NULL where there is none. NAME_KINDS as @kind: the cluster @id, and @cluster does not count.
 */
const char *words_get(struct words *words, int64_t cluster, int kind, int64_t id);

void words_free(struct words *words);

#endif
