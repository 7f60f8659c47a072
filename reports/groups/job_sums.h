/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up the jobs' rows of the store to the groups of a summary. Words stay numbers until all jobs are added up, and
 * only the columns that the groups need are read. So a summary of millions of jobs takes a second for each million.
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
	struct job_groups *groups; /* where the groups go; NULL for a total */
	struct job_group *total;   /* the total, if there are no groups */
	bool names_only;	   /* only the names of the groups matter, not their numbers */
	struct job_group *whole;   /* gets all groups, too, if each job is in exactly one of them; or NULL */
	struct map by_key;	   /* each entry's data is a struct sums_group */
};

/*
 * Initialize with job_sums_begin(). Several threads may each have one for the same summary: @lock protects the summary
 * and the words.
 */
struct job_sums {
	struct jobs_summary *summary;
	pthread_mutex_t *lock;
	struct words *words; /* those of job_sums_words() */
	struct job_sums_target period[JOB_SUMS_TARGETS], previous[JOB_SUMS_TARGETS]; /* the rest is all zero */
	bool has[JOB_COLUMNS];	     /* the columns that are read */
	size_t columns[JOB_COLUMNS]; /* the same as a list */
	size_t column_count;
	struct job_group tools;	     /* only the numbers of tools: those of all jobs of the period */
	int64_t running, first_us, last_us; /* as those of the summary */
	bool by_tool;		     /* groups are by tool, so that each job's tools are needed */
	int dense;		     /* how many groups have dense bins */
	struct database_value row[JOB_COLUMNS]; /* the job's row; the columns that are not read are NULL */
};

/* Prepares to add up the groups that @summary wants. @lock: must be initialized */
void job_sums_begin(struct job_sums *sums, struct jobs_summary *summary, struct words *words, pthread_mutex_t *lock);

/* Returns the kinds of words that the groups' keys need, as bits for words_read(). */
unsigned int job_sums_words(const struct job_sums *sums);

/*
 * Adds a job. @row: the columns sums->columns of a job's row. Returns 0; -1 with @err set.
 */
int job_sums_add(struct job_sums *sums, const struct database_value *row, struct error *err);

/* Hands all groups to the summary. Returns 0; -1 with @err set. */
int job_sums_end(struct job_sums *sums, struct error *err);

void job_sums_free(struct job_sums *sums);

#endif
