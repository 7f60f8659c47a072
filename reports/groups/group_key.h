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

#define GROUP_KEY_NONE INT64_C(-1) /* a number for no finding, no tool, or no time; not 0, because 0 is the number of a finding */

/* Returns which kind of words the numbers of @key stand for, an enum name_kind; -1 if they stand for none. */
int group_key_kind(enum job_key key);

/*
 * Returns the number of the job's value number @place of @key, which must be below job_key_values(). Returns
 * GROUP_KEY_NONE for a cluster, a time and a job name.
 */
int64_t group_key_number(const struct fact *fact, enum job_key key, size_t place);

/* Returns which kinds of words the keys of the tables by @by contain, as bits for words_read(). */
unsigned int group_key_words(enum job_key by);

/* The fields that all jobs of a group have in common, as a row, and memory that the row points to. */
struct group_who {
	struct job_row row;
	struct job_row_tool tool;
	struct job_row_node node;
	struct words *words;
	int64_t cluster;
};

/* Initializes @who with nothing but the cluster. The texts belong to @words. Do not copy @who: its row points into it. */
void group_who_begin(struct group_who *who, struct words *words, int64_t cluster);

/*
 * Adds the value of @key to @who.
 *
 * @number: of the form of group_key_number(); for a time, the day or month
 */
void group_who_set(struct group_who *who, enum job_key key, int64_t number);

/* Does the same as group_who_begin(), and adds the key that @values begins with, except for the end time. */
void group_key_take(const struct database_value *values, enum job_key by, struct words *words, struct group_who *who);

#endif
