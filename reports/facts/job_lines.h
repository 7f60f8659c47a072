/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the row of a job from its store lines. Uses the same code that makes reports. */
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

/* A store line, and the fields of the line that say which job it belongs to. */
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

/*
 * Fills the other members of @line from its text. The caller must have set text and length. If the job ran on only
 * one node, also makes the job's row, so that the line need not be parsed again.
 *
 * @name: where the line is, such as "BATCH:12", for @err
 *
 * Returns 0; -1 with @err set if the line cannot be used. If out of memory, errno is ENOMEM.
 */
int job_line_read(struct job_line *line, const char *name, const struct rules *rules, struct error *err);

void job_line_free(struct job_line *line);

/* A job, and the store lines that describe it. */
struct job_lines {
	/*
	 * one line for each node, sorted by the node's name; if a node has several lines, the one that replaces
	 * the others
	 */
	struct job_line **list;
	size_t count;
	/*
	 * "submit" in the job's key: the submit time, or the negative time when the job began if no line has a
	 * submit time
	 */
	int64_t submit;
};

/*
 * Divides @lines into jobs. All of @lines must have the same cluster, job id and attempt. They can still be of
 * several jobs, because Slurm uses job ids again. If a line has a submit time, it belongs to the job with that
 * submit time. Otherwise it belongs to the job with which its time overlaps most. The result does not depend on
 * the order of @lines.
 *
 * @jobs: set to the jobs, sorted by submit. Release them with job_lines_free().
 *
 * Returns how many jobs there are; -1 with @err set if out of memory.
 */
int job_lines_split(struct job_line **lines, size_t count, struct job_lines **jobs, struct error *err);
void job_lines_free(struct job_lines *jobs, int count);

/* Returns the month, such as 202611, whose tables contain a job. @submit: "submit" in the job's key */
int job_lines_month(int64_t submit);

/* Returns when @month begins, in seconds since 1970. */
int64_t job_lines_month_begin(int month);

/*
 * Makes the report of a job from its lines.
 *
 * Returns the report, which the caller must release with report_free(); NULL with @err set.
 */
struct report *job_lines_report(const struct job_lines *job, const struct rules *rules, struct error *err);

/* Fills @row from the job's lines. Return values are those of job_row_from_report(). */
int job_lines_row(const struct job_lines *job, const struct rules *rules, struct job_row *row, struct error *err);

#endif
