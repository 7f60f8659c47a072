/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of group_tables: which groups a job is in, and what the jobs of a group have in common. */
#ifndef STINT_GROUP_KEY_H
#define STINT_GROUP_KEY_H

#include "reports/facts/fact.h"
#include "reports/facts/words.h"

/*
 * Returns the tables that have groups by @key; NULL if there are none. All tables have clusters and times in their keys: for those,
 * and for JOB_KEY_COUNT, returns the tables of all jobs.
 */
const struct group_tables *group_tables_by(enum job_key key);

/*
 * Fills the key of the job's value @place of @by (job_key_values()). group_tables must have @by.
 *
 * @time: the day or month
 */
void group_key_put(const struct fact *fact, enum job_key by, size_t place, int64_t time, int64_t key[GROUP_KEYS_MAX]);

/* Returns the kinds of words that the keys by @by have, for words_read(). */
unsigned int group_key_words(enum job_key by);

/* The fields that jobs have in common, as a row, and what the row points to. */
struct group_who {
	struct job_row row;
	struct job_row_tool tool;
	struct job_row_node node;
};

/*
 * Fills @who from the key at the start of @values, except the time of the end. The texts belong to @words. Do not copy @who: its
 * row points into it.
 */
void group_key_take(const struct database_value *values, enum job_key by, struct words *words, struct group_who *who);

#endif
