/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary of many jobs, which `stint summary` prints in each form. */
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
#define JOB_VIEWS 8 /* tables of the page for browsers */

struct jobs_summary {
	/* Set by the caller. Other members begin as zero, except those whose comment says that the caller sets them. */
	const char *who; /* begins messages about files: "stint summary" */
	struct job_period period;   /* in which the counted jobs ended */
	struct job_period previous; /* the period to compare with; since_us and until_us are 0 if there is none */
	struct job_filter filters[JOB_FILTERS_MAX];
	size_t filter_count;
	struct job_groups groups, before; /* of the period and of the previous period; the caller sets by[] */
	enum job_figure sort;
	bool ascending;
	size_t top; /* groups to show; 0 for all */

	struct job_group total, total_before;
	struct job_groups users;
	bool with_views; /* see jobs_summary_want_views() */
	struct job_groups views[JOB_VIEWS];
	/* not counted: jobs that run, and jobs of which it is not known whether they ended in the period */
	int64_t running, without_end;
	int64_t damaged;              /* files that are no reports */
	bool of_slurm;                /* the summary is of all jobs that Slurm knows (reports/site/slurm_summary.h) */
	int64_t without_report;       /* of_slurm: jobs of the period without a report */
	int64_t first_us, last_us;    /* the ends of the first job and of the last job; 0 if there are no jobs */
	bool each_once;               /* the caller adds no job twice */
	bool of_store;                /* jobs of the store */
	bool some_hidden; /* of_store: the reader may not see all jobs */
	struct coverage coverage;     /* of_store */
	bool all_measures; /* set by the caller: the output has all measures, not only figures */
	bool only_groups;  /* set by the caller: only figures of groups are printed, so verdicts, findings and users may be left out */
	struct store_age age;         /* of_store */
	char unread[256]; /* of_store: clusters whose database cannot be read, with ", " between; else empty */
	void *seen;                   /* jobs that were added */
	bool collided;                /* reports of several users claim the same job, and a message said so */
};

/*
 * Adds reports. A file that is not a report is named on standard error, and counts in summary->damaged.
 *
 * @paths: ended by NULL
 * @progress: show the progress on standard error
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int jobs_summary_read(struct jobs_summary *summary, char *const paths[], bool progress, struct error *err);

/*
 * As jobs_summary_read(), but adds only reports for which @accepts returns true. The calling thread calls @accepts for
 * each report, in the order of the paths.
 */
int jobs_summary_read_some(struct jobs_summary *summary, char *const paths[],
			   bool (*accepts)(void *context, size_t place, const struct job_row *row), void *context,
			   bool progress, struct error *err);

/*
 * Adds a job of the period or of the previous period, if it passes the filters. Returns 0; -1 with @err set if out of
 * memory.
 */
int jobs_summary_add(struct jobs_summary *summary, const struct job_row *row, struct error *err);

bool jobs_summary_is_within(const struct job_period *period, int64_t end_us);

bool jobs_summary_has_previous(const struct jobs_summary *summary);

/*
 * Sorts the groups, and moves the groups to show to the front: the latest if jobs_summary_shows_latest(), otherwise the
 * first. Adds up all other groups in @rest, without keys.
 *
 * @rest: must be all zero
 *
 * Returns how many groups to show.
 */
size_t jobs_summary_sort(struct jobs_summary *summary, struct job_group *rest);

/*
 * Returns a sentence about groups that are only in "(other ...)", which the caller must free; NULL if there are no such
 * groups. Call it after jobs_summary_sort().
 */
char *jobs_summary_left_out(const struct jobs_summary *summary);

/* Returns whether the latest groups are shown. Then the groups that are not shown are earlier. */
bool jobs_summary_shows_latest(const struct jobs_summary *summary);

/*
 * Returns which jobs count: "Jobs that ended from 2026-11-01 to 2026-11-30 with account lab". The caller must free it.
 * The text may have words of users, so escape it. Returns NULL if out of memory.
 */
char *jobs_summary_which(const struct jobs_summary *summary);

/* Returns the main result, which the caller must free; NULL if out of memory. The text has no words of users. */
char *jobs_summary_sentence(const struct jobs_summary *summary);

/*
 * Returns a sentence that compares with the previous period, which the caller must free; NULL if nothing can be
 * compared.
 */
char *jobs_summary_change(const struct jobs_summary *summary);

/* Returns a sentence about jobs without a report or record, which the caller must free; NULL if not known. */
char *jobs_summary_coverage(const struct jobs_summary *summary);

/* Returns a sentence about the age of the store's data, which the caller must free; NULL if not known. */
char *jobs_summary_age(const struct jobs_summary *summary);

/*
 * Returns a sentence about clusters whose database cannot be read, which the caller must free; NULL if all databases
 * can be read.
 */
char *jobs_summary_unread(const struct jobs_summary *summary);

void jobs_summary_print(struct jobs_summary *summary, const struct page_options *options, FILE *out);
void jobs_summary_print_json(struct jobs_summary *summary, FILE *out);
void jobs_summary_print_csv(struct jobs_summary *summary, FILE *out);

/* Prepares the tables of the page for browsers. Call it before adding jobs. */
void jobs_summary_want_views(struct jobs_summary *summary);
void jobs_summary_print_html(struct jobs_summary *summary, FILE *out);

/* "-" is standard output. Returns 0; -1 with @err set. */
int jobs_summary_write_html(struct jobs_summary *summary, const char *path, struct error *err);

void jobs_summary_free(struct jobs_summary *summary);

#endif
