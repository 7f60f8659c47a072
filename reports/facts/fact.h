/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a job to and from the form in which the tables store it. */
#ifndef STINT_FACT_H
#define STINT_FACT_H

#include "reports/facts/job_lines.h"
#include "reports/facts/names.h"
#include "reports/facts/site_tables.h"
#include "reports/site/job_row.h"

enum { JOB_PART_TOOLS, JOB_PART_NODES, JOB_PART_LINES, JOB_PARTS };

/* The text or bytes of a packed column. */
struct job_part {
	void *data;
	size_t size;
};

struct fact {
	int64_t cluster, job_id, submit, attempt; /* the key */
	int64_t names[NAME_JOB_KINDS];
	/* a row from the tables has no texts, and only the nodes that have a line */
	struct job_row row;
	int64_t *tools, *nodes; /* numbers that stand for the row's tools and nodes */
	struct job_part parts[JOB_PARTS]; /* what fact_put_job() and fact_put_lines() made */
};

/* Adds all words of @fact->row to the words to resolve. Returns 0; -1 with @err set. */
int fact_want_names(const struct fact *fact, struct names *names, struct error *err);

/*
 * Sets the numbers of the words, which must already be resolved. Also drops nodes without a line, and each number
 * that is too large for its column. Returns 0; -1 with @err set.
 */
int fact_take_names(struct fact *fact, struct names *names, struct error *err);

/*
 * Fills the job's row, which has JOB_COLUMNS values. Its texts are valid as long as @fact. Returns 0; -1 with @err set.
 */
int fact_put_job(struct fact *fact, struct database_value *values, struct error *err);

/*
 * Fills the row of the job's lines, which has LINE_COLUMNS values. Its bytes are valid as long as @fact. Returns 0; -1
 * with @err set.
 */
int fact_put_lines(struct fact *fact, const struct job_lines *lines, struct database_value *values, struct error *err);

/* Fills @fact from a job's row. Returns 0; -1 with @err set. Call fact_free() in both cases. */
int fact_from_job(struct fact *fact, const struct database_value *values, struct error *err);

/*
 * Fills the key and the plain numbers of @fact from a job's row. A column that was not read must be NULL. Its number is
 * then not known.
 */
void fact_take_numbers(struct fact *fact, const struct database_value *values);

void fact_free(struct fact *fact);

#endif
