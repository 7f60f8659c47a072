/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of group_tables.
 * A key says which group a job belongs to. All jobs of a group have the same key.
 */
#ifndef STINT_GROUP_KEY_H
#define STINT_GROUP_KEY_H

#include "reports/facts/fact.h"
#include "reports/facts/words.h"

/*
 * Returns the tables that have a group for each value of @key; NULL if there are no such tables. For a cluster, a time,
 * or JOB_KEY_COUNT, returns the tables with one group for all jobs.
 */
const struct group_tables *group_tables_by(enum job_key key);

/*
 * Fills @key with the key of a group.
 *
 * @by: group_tables must have tables by @by
 * @place: which value of @by; below job_key_values()
 * @time: the day or month in the key
 */
void group_key_put(const struct fact *fact, enum job_key by, size_t place, int64_t time, int64_t key[GROUP_KEYS_MAX]);

#define GROUP_KEY_NONE INT64_C(-1) /* no finding, tool, or time; 0 is the number of a finding */

/* Returns the enum name_kind of the words that the numbers of @key stand for; -1 if they stand for no words. */
int group_key_kind(enum job_key key);

/*
 * Returns the number that stands for a job's value of @key. Returns GROUP_KEY_NONE for a cluster, a time, or a job
 * name.
 *
 * @place: which value; below job_key_values()
 */
int64_t group_key_number(const struct fact *fact, enum job_key key, size_t place);

/* Returns which kinds of words the keys of tables by @by have, as bits for words_read(). */
unsigned int group_key_words(enum job_key by);

/* What all jobs of a group have in common, as a row. */
struct group_who {
	struct job_row row;
	struct job_row_tool tool;
	struct job_row_node node;
	struct words *words;
	int64_t cluster;
};

/* Initializes @who with the cluster. @words owns the texts. Do not copy @who: its row points into it. */
void group_who_begin(struct group_who *who, struct words *words, int64_t cluster);

/*
 * Adds the value of @key.
 *
 * @number: as from group_key_number(); for a time, the day or month
 */
void group_who_set(struct group_who *who, enum job_key key, int64_t number);

/* Initializes @who from the key that @values begins with, without the end time. @words owns the texts. */
void group_key_take(const struct database_value *values, enum job_key by, struct words *words, struct group_who *who);

#endif
