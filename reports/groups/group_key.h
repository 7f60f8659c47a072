/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes and reads the keys of group_tables. A key says which group a job belongs to, and which fields all jobs of
 * the group have in common.
 */
#ifndef STINT_GROUP_KEY_H
#define STINT_GROUP_KEY_H

#include "reports/facts/fact.h"
#include "reports/facts/words.h"

/*
 * Returns the tables whose groups are by @key; NULL if there are none. Returns the tables of all jobs if @key is a
 * cluster or a time, or JOB_KEY_COUNT, because the key of every table contains the cluster and the time.
 */
const struct group_tables *group_tables_by(enum job_key key);

/*
 * Fills @key with the key of a group: that of value number @place of @by, which must be below job_key_values().
 * group_tables must have tables by @by.
 *
 * @time: the day or month in the key
 */
void group_key_put(const struct fact *fact, enum job_key by, size_t place, int64_t time, int64_t key[GROUP_KEYS_MAX]);

/* Returns which kinds of words the keys of the tables by @by contain, as bits for words_read(). */
unsigned int group_key_words(enum job_key by);

/* The fields that all jobs of a group have in common, as a row, and memory that the row points to. */
struct group_who {
	struct job_row row;
	struct job_row_tool tool;
	struct job_row_node node;
};

/*
 * Fills @who from the key that @values begins with, except for the end time. The texts belong to @words. Do not
 * copy @who, because its row points to its own members.
 */
void group_key_take(const struct database_value *values, enum job_key by, struct words *words, struct group_who *who);

#endif
