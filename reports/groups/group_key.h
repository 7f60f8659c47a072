/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles the keys of group_tables: which groups a job belongs to, and which fields the jobs of a group have in
 * common.
 */
#ifndef STINT_GROUP_KEY_H
#define STINT_GROUP_KEY_H

#include "reports/facts/fact.h"
#include "reports/facts/words.h"

/*
 * Returns the tables that have groups by @key; NULL if there are none. The keys of all tables contain clusters and
 * times. So for a key that is a cluster or a time, and for JOB_KEY_COUNT, this returns the tables of all jobs.
 */
const struct group_tables *group_tables_by(enum job_key key);

/*
 * Fills @key for value number @place of @by, which is a number below job_key_values(). group_tables must have @by.
 *
 * @time: the day or month
 */
void group_key_put(const struct fact *fact, enum job_key by, size_t place, int64_t time, int64_t key[GROUP_KEYS_MAX]);

/* Returns the kinds of words that occur in the keys of the tables by @by, as bits for words_read(). */
unsigned int group_key_words(enum job_key by);

/* The fields that the jobs of a group have in common, as a row, and the memory that the row points to. */
struct group_who {
	struct job_row row;
	struct job_row_tool tool;
	struct job_row_node node;
};

/*
 * Fills @who from the key at the start of @values, except for the time of the end. @words owns the texts. Do not copy
 * @who, because its row points into it.
 */
void group_key_take(const struct database_value *values, enum job_key by, struct words *words, struct group_who *who);

#endif
