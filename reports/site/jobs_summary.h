/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the summary of many jobs, which `stint summary` prints in each of its formats. */
#ifndef STINT_JOBS_SUMMARY_H
#define STINT_JOBS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"
#include "reports/site/coverage.h"
#include "reports/site/job_figures.h"
#include "reports/site/job_groups.h"
#include "reports/site/store_age.h"
#include "reports/terminal/terminal.h"

#define JOB_FILTERS_MAX 16
#define JOB_VIEWS 8 /* number of tables on the page for browsers */

struct jobs_summary {
	/* set by the caller; all other members start as zero */
	const char *who; /* begins each message about a file on standard error: "stint summary" */
	struct job_period period;   /* the period in which the jobs ended */
	struct job_period previous; /* the period before that; both members are 0 if there is none */
	struct job_filter filters[JOB_FILTERS_MAX];
	size_t filter_count;
	struct job_groups groups, before; /* the caller sets only their by[] */
	enum job_figure sort;
	bool ascending;
	size_t top; /* how many groups to show; 0 for all */

	struct job_group total, total_before;
	struct job_groups users;
	bool with_views; /* see jobs_summary_want_views() */
	struct job_groups views[JOB_VIEWS];
	/* jobs that are left out: running jobs, and jobs that may or may not have ended in the period */
	int64_t running, without_end;
	int64_t damaged;              /* number of files that are not reports */
	bool of_slurm;                /* true if the jobs are those that Slurm knows (reports/site/slurm_summary.h) */
	int64_t without_report;       /* if of_slurm: how many jobs of the period left no report */
	int64_t first_us, last_us;    /* first and last end of a job; 0 if none */
	bool each_once;               /* no job is added twice, so added jobs need not be remembered */
	bool of_store;                /* true if the jobs are those of the store */
	bool some_hidden; /* if of_store: jobs that the reader may not see are left out */
	struct coverage coverage;     /* of_store */
	bool all_measures; /* set by the caller: all measures are shown, and not only those of the figures */
	struct store_age age;         /* of_store */
	char unread[256]; /* of_store: the clusters whose database cannot be read, with ", " between; empty if there are none */
	void *seen;                   /* the jobs that were already added, to count each only once */
	bool collided;                /* reports of several users claim the same job, and a message says so */
};

/*
 * Adds the reports @paths, a list that ends with NULL. If a file is not a report, prints a message on standard error,
 * and counts the file in summary->damaged. If @progress is set, shows the progress on standard error.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int jobs_summary_read(struct jobs_summary *summary, char *const paths[], bool progress, struct error *err);

/*
 * Like jobs_summary_read(), but adds only the reports for which @accepts returns true. The calling thread calls
 * @accepts once for each path that is a report, in the order of the paths.
 */
int jobs_summary_read_some(struct jobs_summary *summary, char *const paths[],
			   bool (*accepts)(void *context, size_t place, const struct job_row *row), void *context,
			   bool progress, struct error *err);

/*
 * Adds @row if it ended in the period or in the previous one, and passes the filters. Returns as jobs_summary_read()
 * does.
 */
int jobs_summary_add(struct jobs_summary *summary, const struct job_row *row, struct error *err);

/* Returns whether a job that ended at @end_us is in the period. */
bool jobs_summary_is_within(const struct job_period *period, int64_t end_us);

/* Returns whether the period before is wanted, too. */
bool jobs_summary_has_previous(const struct jobs_summary *summary);

/*
 * Sorts the groups, and moves the groups to show to the front. If the groups are sorted by time, the latest are
 * shown, else the first. If there are more groups than summary->top, the others are joined into @rest, a group
 * without keys.
 *
 * @rest: must be all zero
 *
 * Returns how many groups to show.
 */
size_t jobs_summary_sort(struct jobs_summary *summary, struct job_group *rest);

/*
 * Returns a sentence about the groups that are only in the sums of "(other ...)" (JOB_GROUPS_MOST), for free(); NULL if
 * there are none. Call it after jobs_summary_sort().
 */
char *jobs_summary_left_out(const struct jobs_summary *summary);

/* Returns whether jobs_summary_sort() shows the latest groups. If so, the other groups are earlier. */
bool jobs_summary_shows_latest(const struct jobs_summary *summary);

/*
 * Returns a text that says which jobs these are: "Jobs that ended from 2026-11-01 to 2026-11-30 with account lab".
 * The text may contain words that a user chose. The caller must free it. NULL if out of memory.
 */
char *jobs_summary_which(const struct jobs_summary *summary);

/*
 * Returns the main result of the summary as a sentence, which contains no text that a user chose. The caller must
 * free it. NULL if out of memory.
 */
char *jobs_summary_sentence(const struct jobs_summary *summary);

/* Returns a sentence about the previous period, which the caller must free; NULL if there is no such period. */
char *jobs_summary_change(const struct jobs_summary *summary);

/*
 * Returns a sentence about jobs that left no report or no record, which the caller must free. NULL if only reports
 * were read, or if the store was not compared with Slurm.
 */
char *jobs_summary_coverage(const struct jobs_summary *summary);

/* Returns a sentence that says how old the store's data are, which the caller must free. NULL if that is not known. */
char *jobs_summary_age(const struct jobs_summary *summary);

/*
 * Returns a sentence about the clusters whose jobs are missing, because their database cannot be read, which the
 * caller must free. NULL if there are none.
 */
char *jobs_summary_unread(const struct jobs_summary *summary);

void jobs_summary_print(struct jobs_summary *summary, const struct page_options *options, FILE *out);
void jobs_summary_print_json(struct jobs_summary *summary, FILE *out);
void jobs_summary_print_csv(struct jobs_summary *summary, FILE *out);

/* Prepares for jobs_summary_write_html(). Call it before adding the first job. */
void jobs_summary_want_views(struct jobs_summary *summary);
void jobs_summary_print_html(struct jobs_summary *summary, FILE *out);

/*
 * Writes the page to the file @path, as output_write() does. "-" is standard output.
 *
 * Returns 0; -1 with @err set.
 */
int jobs_summary_write_html(struct jobs_summary *summary, const char *path, struct error *err);

void jobs_summary_free(struct jobs_summary *summary);

#endif
