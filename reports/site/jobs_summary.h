/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary of many jobs, which `stint summary` prints in each of its formats. */
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
#include "reports/terminal/terminal.h"

#define JOB_FILTERS_MAX 16
#define JOB_VIEWS 8 /* tables of the page for browsers */

struct jobs_summary {
	/* set by the caller; everything else starts as zero */
	const char *who; /* "stint summary": begins each message about a file on standard error */
	struct job_period period;   /* of the jobs' ends */
	struct job_period previous; /* the period before; both 0: there is none */
	struct job_filter filters[JOB_FILTERS_MAX];
	size_t filter_count;
	struct job_groups groups, before; /* their by[] is set */
	enum job_figure sort;
	bool ascending;
	size_t top; /* how many groups are shown; 0: all */

	struct job_group total, total_before;
	struct job_groups users;
	bool with_views; /* see jobs_summary_want_views() */
	struct job_groups views[JOB_VIEWS];
	/* jobs that are left out: they are still running, or it is not known whether they ended in the period */
	int64_t running, without_end;
	int64_t damaged;              /* files that are not reports */
	bool of_slurm;                /* the jobs are those that Slurm knows (reports/site/slurm_summary.h) */
	int64_t without_report;       /* of_slurm: jobs of the period that left no report */
	int64_t first_us, last_us;    /* ends of jobs; 0: none */
	bool each_once;               /* no job comes twice: added jobs need not be remembered */
	bool of_store;                /* the jobs are those of the store */
	bool some_hidden; /* of_store: without the jobs that the reader may not see */
	struct coverage coverage;     /* of_store */
	void *seen;                   /* jobs that were added, so that none counts twice */
	bool collided;                /* reports of several users claim the same job, and the message about it was printed */
};

/*
 * Adds the reports @paths, a list that ends with NULL. For a file that is not a report, prints a message on standard error, and
 * counts it in damaged. With @progress, shows the progress on standard error.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int jobs_summary_read(struct jobs_summary *summary, char *const paths[], bool progress, struct error *err);

/*
 * As jobs_summary_read(), but adds only the reports that @accepts accepts. This thread calls it once for each path that is a
 * report, in their order.
 */
int jobs_summary_read_some(struct jobs_summary *summary, char *const paths[],
			   bool (*accepts)(void *context, size_t place, const struct job_row *row), void *context,
			   bool progress, struct error *err);

/*
 * Adds @row if it belongs to the period or the one before and passes the filters. Returns as jobs_summary_read().
 */
int jobs_summary_add(struct jobs_summary *summary, const struct job_row *row, struct error *err);

/*
 * Sorts the groups. If there are more than summary->top, the others become one group without keys. The groups to show come first:
 * if they are sorted by time, the latest, otherwise the first ones.
 *
 * @rest: all zero; filled with the others
 *
 * Returns how many groups to show.
 */
size_t jobs_summary_sort(struct jobs_summary *summary, struct job_group *rest);

/* Returns whether jobs_summary_sort() shows the latest groups, so that the others are earlier ones. */
bool jobs_summary_shows_latest(const struct jobs_summary *summary);

/*
 * Returns which jobs these are, "Jobs that ended from 2026-11-01 to 2026-11-30 with account lab". Free it; NULL if out of memory.
 * It may contain text that a user chose.
 */
char *jobs_summary_which(const struct jobs_summary *summary);

/*
 * Returns the main result of the summary as a sentence. Free it; NULL if out of memory. It contains no text that a user chose.
 */
char *jobs_summary_sentence(const struct jobs_summary *summary);

/*
 * Returns the sentence about the period before. Free it; NULL if there is no such period.
 */
char *jobs_summary_change(const struct jobs_summary *summary);

/*
 * Returns the sentence about jobs that left no report or no record. Free it; NULL if only reports were read, or if the store was
 * not compared with Slurm.
 */
char *jobs_summary_coverage(const struct jobs_summary *summary);

void jobs_summary_print(struct jobs_summary *summary, const struct page_options *options, FILE *out);
void jobs_summary_print_json(struct jobs_summary *summary, FILE *out);
void jobs_summary_print_csv(struct jobs_summary *summary, FILE *out);

/*
 * Call this before adding the first job if you want jobs_summary_write_html().
 */
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
