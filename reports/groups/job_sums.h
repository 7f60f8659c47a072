/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds rows of jobs from the store to the groups of a summary.
 * Words are looked up only at the end, for each group. So a million jobs take a second.
 */
#ifndef STINT_JOB_SUMS_H
#define STINT_JOB_SUMS_H

#include <pthread.h>

#include "common/memory/map.h"
#include "reports/facts/words.h"
#include "reports/site/jobs_summary.h"

#define JOB_SUMS_TARGETS (JOB_VIEWS + 4)

/* Groups that are being made. */
struct job_sums_target {
	struct job_groups *groups; /* gets the result; NULL for a total */
	struct job_group *total;   /* gets the result; NULL for groups */
	bool names_only;	   /* the groups need no numbers */
	struct job_group *whole;   /* a total to which all groups are added at the end; NULL if a job can be in several groups */
	bool parts;		   /* groups by tool or node have only parts of jobs */
	struct map by_key;	   /* data is a struct sums_group */
};

/*
 * Initialize with job_sums_begin().
 * Threads may add to the same summary if each has its own struct job_sums. @lock protects the summary and the words.
 */
struct job_sums {
	struct jobs_summary *summary;
	pthread_mutex_t *lock;
	struct words *words; /* those of job_sums_words() */
	struct job_sums_target period[JOB_SUMS_TARGETS], previous[JOB_SUMS_TARGETS]; /* ended by an element of zeros */
	bool has[JOB_COLUMNS];	     /* the columns that are read */
	size_t columns[JOB_COLUMNS]; /* the same as a list */
	size_t column_count;
	enum job_measure measures[JOB_MEASURE_COUNT]; /* those that are read; all others follow from their sums */
	size_t measure_count;
	enum job_measure others[JOB_MEASURE_COUNT]; /* those of them that measure_is_other_column() */
	size_t other_count;
	struct job_group tools;	     /* the numbers of the tools of all jobs */
	int64_t running, first_us, last_us; /* as in the summary */
	bool by_tool, by_node;	     /* some groups are by tool, or by node */
	int dense;		     /* how many groups have a struct dense */
	struct database_value row[JOB_COLUMNS]; /* the row that is being added; NULL in columns that were not read */
};

/* Prepares @sums for the groups of @summary. @lock must be initialized. */
void job_sums_begin(struct job_sums *sums, struct jobs_summary *summary, struct words *words, pthread_mutex_t *lock);

/* Return whether the output of @summary needs @measure, the numbers of the tools of all jobs, and the users. */
bool job_sums_need(const struct jobs_summary *summary, enum job_measure measure);
bool job_sums_need_tools(const struct jobs_summary *summary);
bool job_sums_need_users(const struct jobs_summary *summary);

/* Sets @column to the column of @key. Returns false for a cluster, which needs no column. */
bool job_sums_column(enum job_key key, size_t *column);

/* Returns which kinds of words the groups' keys have, as bits for words_read(). */
unsigned int job_sums_words(const struct job_sums *sums);

/*
 * Adds a job. Returns 0; -1 with @err set.
 *
 * @row: the values of the columns that sums->columns lists
 */
int job_sums_add(struct job_sums *sums, const struct database_value *row, struct error *err);

/*
 * Adds up whole jobs of one cluster that have the same values of all keys.
 *
 * @now: true for jobs of the period, false for jobs of the previous period
 * @row: JOB_COLUMNS values: the cluster and the keys; all other values are NULL
 * @group: measures_compute_sums() follows when all is added
 *
 * Returns 0; -1 with @err set.
 */
int job_sums_add_group(struct job_sums *sums, bool now, const struct database_value *row, const struct job_group *group,
		       struct error *err);

/* Counts a user of the period. Returns 0; -1 with @err set. */
int job_sums_add_user(struct job_sums *sums, int64_t cluster, int64_t user, struct error *err);

/* Notes the ends of the first job and of the last job of the period, in microseconds. */
void job_sums_add_times(struct job_sums *sums, int64_t first_us, int64_t last_us);

/* Adds all groups to the summary. Returns 0; -1 with @err set. */
int job_sums_end(struct job_sums *sums, struct error *err);

void job_sums_free(struct job_sums *sums);

#endif
