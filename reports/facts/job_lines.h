/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a row from the store lines of a job, by the same code that makes reports. */
#ifndef STINT_JOB_LINES_H
#define STINT_JOB_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/rules/rules.h"
#include "reports/site/job_row.h"

#define SUBMIT_UNKNOWN INT64_C(-1)

/* A store line, with the fields that say which job it belongs to. */
struct job_line {
	char *text; /* text of @length bytes, borrowed unless owned */
	size_t length;
	bool owned, stored; /* stored: true if the line came from the database */
	char *cluster, *node;
	int64_t job_id, attempt, revision, amended;
	int64_t submit; /* seconds since 1970, or SUBMIT_UNKNOWN */
	int64_t opened, closed; /* begin and end of the job on this node, in seconds since 1970 */
	struct job_row *row;    /* the row of a job that ran only on this node; NULL if not made */
	void *packed; /* the text as the database stores it; NULL if not made */
	size_t packed_size;
};

/*
 * Reads a line, whose text and length must be set. If the job ran on only one node, also makes the row, so that the
 * line is parsed only once.
 *
 * @name: position of the line, "BATCH:12", for @err
 *
 * Returns 0; -1 with @err set if the line cannot be used, or with errno ENOMEM if out of memory.
 */
int job_line_read(struct job_line *line, const char *name, const struct rules *rules, struct error *err);

void job_line_free(struct job_line *line);

/* A job, and the lines that it consists of. */
struct job_lines {
	struct job_line **list; /* sorted by the node's name; one line for each node, which is the line that counts */
	size_t count;
	int64_t submit; /* submit in the job's key: the submit time; if no line has it, minus the time when the job began */
};

/*
 * Divides @lines, which have the same cluster, job id and attempt, into jobs, because job ids are reused. A line with
 * a submit time belongs to the job with that submit time. Another line belongs to the job with which it overlaps
 * most. The order of @lines does not change the result.
 *
 * @jobs: receives the jobs, sorted by submit; free each with job_lines_free()
 *
 * Returns the number of jobs; -1 with @err set if out of memory.
 */
int job_lines_split(struct job_line **lines, size_t count, struct job_lines **jobs, struct error *err);
void job_lines_free(struct job_lines *jobs, int count);

/* Returns the month of the tables that contain a job with @submit in its key, as 202611. */
int job_lines_month(int64_t submit);

/* Returns when @month begins, in seconds since 1970. */
int64_t job_lines_month_begin(int month);

/*
 * Makes the report of a job.
 *
 * Returns the report, for report_free(); NULL with @err set.
 */
struct report *job_lines_report(const struct job_lines *job, const struct rules *rules, struct error *err);

/* Fills @row from the job's lines. Returns as job_row_from_report() does. */
int job_lines_row(const struct job_lines *job, const struct rules *rules, struct job_row *row, struct error *err);

#endif
