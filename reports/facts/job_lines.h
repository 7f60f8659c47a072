/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the row of a job from its store lines, with the code that makes reports. */
#ifndef STINT_JOB_LINES_H
#define STINT_JOB_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/lines/line_pack.h"
#include "reports/rules/rules.h"
#include "reports/site/job_row.h"

#define SUBMIT_UNKNOWN INT64_C(-1)

/* A store line, and the facts that say which job the line belongs to. */
struct job_line {
	char *text; /* text of @length bytes; freed with the line only if @owned is set */
	size_t length;
	bool owned, stored; /* stored: the line was read from the database */
	char *cluster, *node;
	int64_t job_id, attempt, revision, amended;
	int64_t submit; /* seconds since 1970, or SUBMIT_UNKNOWN */
	int64_t opened, closed; /* when the job began and ended on this node, in seconds since 1970 */
	struct job_row *row;    /* the job's row, if the job ran only on this node; otherwise NULL */
	struct line_split *split; /* the text, split for the database; NULL if not split yet */
};

/* Gives @line a copy of its text, with a NUL after it. Returns 0; -1 if out of memory. */
int job_line_keep(struct job_line *line, const char *text, size_t length);

/*
 * Fills the other members of @line from its text. If the job ran on one node, also makes the job's row, so that the
 * line is parsed only once.
 *
 * @name: where the line is, such as "BATCH:12", for @err
 *
 * Returns 0; -1 with @err set if the line cannot be used. If out of memory, errno is ENOMEM.
 */
int job_line_read(struct job_line *line, const char *name, const struct rules *rules, struct error *err);

void job_line_free(struct job_line *line);

/* A job and its store lines. */
struct job_lines {
	/* for each node, the one line that counts, sorted by node */
	struct job_line **list;
	size_t count;
	/*
	 * a part of the job's key: the submit time; if it is unknown, the time when the job began as a negative number
	 */
	int64_t submit;
};

/*
 * Divides lines of one cluster, job id and attempt into jobs. Slurm uses job ids again, so there may be several.
 *
 * A line belongs to the job with the same submit time. A line without a submit time belongs to the job whose time it
 * overlaps most. The order of @lines does not matter.
 *
 * @jobs: set to the jobs, sorted by submit; release them with job_lines_free()
 *
 * Returns how many jobs there are; -1 with @err set if out of memory.
 */
int job_lines_split(struct job_line **lines, size_t count, struct job_lines **jobs, struct error *err);
void job_lines_free(struct job_lines *jobs, int count);

/* Returns the month, such as 202611, whose tables have a job. @submit: as in the job's key */
int job_lines_month(int64_t submit);

/* Seconds since 1970 when @month begins. */
int64_t job_lines_month_begin(int month);

/* Makes the report of a job. The caller must release it with report_free(). Returns NULL with @err set on failure. */
struct report *job_lines_report(const struct job_lines *job, const struct rules *rules, struct error *err);

/* Fills @row from the job's lines. Returns what job_row_from_report() returns. */
int job_lines_row(const struct job_lines *job, const struct rules *rules, struct job_row *row, struct error *err);

#endif
