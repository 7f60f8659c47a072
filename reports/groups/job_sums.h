/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds rows of jobs from the store to the groups of a summary. Reads only the columns that the groups need. Uses
 * the numbers of words until all jobs are added up, and only then finds the words. So a summary of millions of
 * jobs takes a second for each million.
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
	struct job_groups *groups; /* the summary's groups that get the result; NULL if this is a total */
	struct job_group *total;   /* the summary's total that gets the result; NULL if there are groups */
	bool names_only;	   /* only the names of the groups are needed, not their numbers */
	struct job_group *whole;   /* if each job is in exactly one group, a total that also gets all groups; otherwise NULL */
	struct map by_key;	   /* the groups; data is a struct sums_group */
};

/*
 * Initialize with job_sums_begin(). Several threads may add to the same summary if each has its own struct
 * job_sums. @lock then protects the summary and the words.
 */
struct job_sums {
	struct jobs_summary *summary;
	pthread_mutex_t *lock;
	struct words *words; /* those of job_sums_words() */
	struct job_sums_target period[JOB_SUMS_TARGETS], previous[JOB_SUMS_TARGETS]; /* the rest is all zero */
	bool has[JOB_COLUMNS];	     /* the columns that are read */
	size_t columns[JOB_COLUMNS]; /* the same as a list */
	size_t column_count;
	enum job_measure measures[JOB_MEASURE_COUNT]; /* those that are read */
	size_t measure_count;
	struct job_group tools;	     /* has only the numbers of tools, which are the sums over all jobs of the period */
	int64_t running, first_us, last_us; /* as those of the summary */
	bool by_tool;		     /* groups are by tool, so the tools of each job are needed */
	int dense;		     /* how many groups count their bins in an array (struct dense) */
	struct database_value row[JOB_COLUMNS]; /* the row of the job that is being added; columns that were not read are NULL */
};

/* Prepares @sums to add up the groups that @summary wants. @lock: must be initialized */
void job_sums_begin(struct job_sums *sums, struct jobs_summary *summary, struct words *words, pthread_mutex_t *lock);

/* Returns whether the output of @summary needs @measure. */
bool job_sums_need(const struct jobs_summary *summary, enum job_measure measure);

/* Sets @column to the column that @key is made of. Returns false if the key needs none (a cluster). */
bool job_sums_column(enum job_key key, size_t *column);

/* Returns which kinds of words the keys of the groups contain, as bits for words_read(). */
unsigned int job_sums_words(const struct job_sums *sums);

/*
 * Adds a job. Returns 0; -1 with @err set.
 *
 * @row: the values of those columns of the job's row that sums->columns lists
 */
int job_sums_add(struct job_sums *sums, const struct database_value *row, struct error *err);

/*
 * Adds jobs that were already added up. They must be whole jobs, of one cluster, with the same values of all keys.
 *
 * @now: they are jobs of the period; otherwise of the previous one
 * @row: JOB_COLUMNS values of which those of the keys and of the cluster are set, and all others are NULL
 *
 * Returns 0; -1 with @err set.
 */
int job_sums_add_group(struct job_sums *sums, bool now, const struct database_value *row, const struct job_group *group,
		       struct error *err);

/* Counts a user, an enum NAME_USER of @cluster, of the period. Returns 0; -1 with @err set. */
int job_sums_add_user(struct job_sums *sums, int64_t cluster, int64_t user, struct error *err);

/* Notes when the first and the last of some jobs of the period ended. */
void job_sums_add_times(struct job_sums *sums, int64_t first_us, int64_t last_us);

/* Adds all groups to the summary. Returns 0; -1 with @err set. */
int job_sums_end(struct job_sums *sums, struct error *err);

void job_sums_free(struct job_sums *sums);

#endif
