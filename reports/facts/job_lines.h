/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The store lines of a job, and the row that they make: by the code that makes reports, and nothing else. */
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

/* A store line, as far as it says to which job it belongs. */
struct job_line {
	char *text; /* of @length bytes, borrowed unless owned */
	size_t length;
	bool owned, stored; /* stored: it came from the database */
	char *cluster, *node;
	int64_t job_id, attempt, revision, amended;
	int64_t submit; /* seconds since 1970; SUBMIT_UNKNOWN */
	int64_t opened, closed; /* the node's part of the job: seconds since 1970 */
	struct job_row *row;    /* of a job that ran on this node alone; NULL: not made */
	void *packed; /* the text as the database keeps it; NULL: not made */
	size_t packed_size;
};

/*
 * Reads a line: @line->text and its length are set. Where the job ran on one node, it makes the row too, so that the
 * line is parsed once.
 *
 * @name: for @err, "BATCH:12"
 *
 * Returns 0; -1 with @err set: nobody can use it, or (errno ENOMEM) memory is short.
 */
int job_line_read(struct job_line *line, const char *name, const struct rules *rules, struct error *err);

void job_line_free(struct job_line *line);

/* A job that some of the lines make. */
struct job_lines {
	struct job_line **list; /* by the node's name; of each node the one that counts */
	size_t count;
	int64_t submit; /* that of its key: the submit time; where no line has it, minus the moment when it began */
};

/*
 * Puts @lines, which are of one cluster, job id and attempt, together to jobs: job ids come again. What has a submit
 * time belongs to the job of that time; what has none, to the one with which it overlaps. The result is the same in
 * whatever order the lines are.
 *
 * @jobs: gets them, sorted by submit; to be freed by job_lines_free()
 *
 * Returns how many; -1 with @err set when memory is short.
 */
int job_lines_split(struct job_line **lines, size_t count, struct job_lines **jobs, struct error *err);
void job_lines_free(struct job_lines *jobs, int count);

/* Returns the month of the tables in which a job is whose key has @submit: 202611. */
int job_lines_month(int64_t submit);

/* Returns when that month begins, in seconds since 1970. */
int64_t job_lines_month_begin(int month);

/*
 * Makes the report of a job.
 *
 * Returns it, for report_free(); NULL with @err set.
 */
struct report *job_lines_report(const struct job_lines *job, const struct rules *rules, struct error *err);

/*
 * Fills @row from the job's lines. Returns as job_row_from_report().
 */
int job_lines_row(const struct job_lines *job, const struct rules *rules, struct job_row *row, struct error *err);

#endif
