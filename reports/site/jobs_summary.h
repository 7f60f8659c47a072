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
	/*
	 * The caller sets the following members. All other members start as zero, except for those
	 * that say that the caller sets them.
	 */
	const char *who; /* begins each message about a file on standard error: "stint summary" */
	struct job_period period;   /* the period in which the counted jobs ended */
	struct job_period previous; /* the period before it, to compare with; both members are 0 if there is none */
	struct job_filter filters[JOB_FILTERS_MAX];
	size_t filter_count;
	struct job_groups groups, before; /* groups of the period, and of the previous one; the caller sets only by[] */
	enum job_figure sort;
	bool ascending;
	size_t top; /* how many groups to show; 0 for all */

	struct job_group total, total_before;
	struct job_groups users;
	bool with_views; /* see jobs_summary_want_views() */
	struct job_groups views[JOB_VIEWS];
	/*
	 * Numbers of jobs that are not counted, because they still run, or because it is not known
	 * whether they ended in the period.
	 */
	int64_t running, without_end;
	int64_t damaged;              /* number of files that are not reports */
	bool of_slurm;                /* the jobs are all those that Slurm knows (reports/site/slurm_summary.h) */
	int64_t without_report;       /* if of_slurm: how many jobs of the period have no report */
	int64_t first_us, last_us;    /* when the first and the last job ended; 0 if there are no jobs */
	bool each_once;               /* the caller adds no job twice, so seen is not needed */
	bool of_store;                /* the jobs come from the store */
	bool some_hidden; /* if of_store: jobs that the reader may not see are not counted */
	struct coverage coverage;     /* of_store */
	bool all_measures; /* set by the caller: the output has all measures, and not only the figures */
	bool only_groups;  /* set by the caller: the output has only figures of the groups, so verdicts, findings and users need not be counted */
	struct store_age age;         /* of_store */
	char unread[256]; /* if of_store: the clusters whose database cannot be read, with ", " between; else empty */
	void *seen;                   /* the jobs that were already added, so that each is counted only once */
	bool collided;                /* reports of several users claim the same job, and a message has said so */
};

/*
 * Adds the reports @paths, a list that ends with NULL, to @summary. If a file is not a report, prints
 * a message on standard error, and counts the file in summary->damaged.
 *
 * @progress: whether to show the progress on standard error
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int jobs_summary_read(struct jobs_summary *summary, char *const paths[], bool progress, struct error *err);

/*
 * Does the same as jobs_summary_read(), but adds only the reports for which @accepts returns true. The
 * calling thread calls @accepts once for each path that is a report, in the order of the paths.
 */
int jobs_summary_read_some(struct jobs_summary *summary, char *const paths[],
			   bool (*accepts)(void *context, size_t place, const struct job_row *row), void *context,
			   bool progress, struct error *err);

/*
 * Adds the job @row if it ended in the period or in the previous one, and passes the filters. Return
 * values are those of jobs_summary_read().
 */
int jobs_summary_add(struct jobs_summary *summary, const struct job_row *row, struct error *err);

/* Returns whether a job that ended at @end_us is in the period. */
bool jobs_summary_is_within(const struct job_period *period, int64_t end_us);

/* Returns whether the caller also wants the numbers of the previous period. */
bool jobs_summary_has_previous(const struct jobs_summary *summary);

/*
 * Sorts the groups, and moves the groups to show to the front. If jobs_summary_shows_latest(), the
 * latest groups are shown, otherwise the first ones. If there are more groups than summary->top, adds
 * up the others in @rest, a group without keys.
 *
 * @rest: must be all zero
 *
 * Returns how many groups to show.
 */
size_t jobs_summary_sort(struct jobs_summary *summary, struct job_group *rest);

/*
 * Returns a sentence about the groups that were added to "(other ...)" (JOB_GROUPS_MOST) and have no
 * line of their own. The caller must free it. Returns NULL if there are none. Call it after
 * jobs_summary_sort().
 */
char *jobs_summary_left_out(const struct jobs_summary *summary);

/*
 * Returns whether jobs_summary_sort() shows the latest groups. If so, the groups that it does not show
 * are earlier ones.
 */
bool jobs_summary_shows_latest(const struct jobs_summary *summary);

/*
 * Returns a text that says which jobs the summary counts: "Jobs that ended from 2026-11-01 to
 * 2026-11-30 with account lab". The text may contain words that a user chose, so it must be escaped.
 * The caller must free it. Returns NULL if out of memory.
 */
char *jobs_summary_which(const struct jobs_summary *summary);

/*
 * Returns a sentence with the main result of the summary. The sentence contains no words that a user
 * chose. The caller must free it. Returns NULL if out of memory.
 */
char *jobs_summary_sentence(const struct jobs_summary *summary);

/*
 * Returns a sentence that compares with the previous period. The caller must free it. Returns NULL if
 * there is no such period.
 */
char *jobs_summary_change(const struct jobs_summary *summary);

/*
 * Returns a sentence about the jobs that have no report or no record. The caller must free it. Returns
 * NULL if the summary is of report files only, or if the store was not compared with Slurm.
 */
char *jobs_summary_coverage(const struct jobs_summary *summary);

/*
 * Returns a sentence that says how old the store's data are. The caller must free it. Returns NULL if
 * that is not known.
 */
char *jobs_summary_age(const struct jobs_summary *summary);

/*
 * Returns a sentence about the clusters whose jobs are missing because their database cannot be read.
 * The caller must free it. Returns NULL if there are none.
 */
char *jobs_summary_unread(const struct jobs_summary *summary);

void jobs_summary_print(struct jobs_summary *summary, const struct page_options *options, FILE *out);
void jobs_summary_print_json(struct jobs_summary *summary, FILE *out);
void jobs_summary_print_csv(struct jobs_summary *summary, FILE *out);

/* Prepares the tables that jobs_summary_write_html() needs. Call it before adding the first job. */
void jobs_summary_want_views(struct jobs_summary *summary);
void jobs_summary_print_html(struct jobs_summary *summary, FILE *out);

/*
 * Writes the page for browsers to the file @path with output_write(). "-" is standard output.
 *
 * Returns 0; -1 with @err set.
 */
int jobs_summary_write_html(struct jobs_summary *summary, const char *path, struct error *err);

void jobs_summary_free(struct jobs_summary *summary);

#endif
