/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job as the tables store it. */
#ifndef STINT_FACT_H
#define STINT_FACT_H

#include "reports/facts/job_lines.h"
#include "reports/facts/names.h"
#include "reports/facts/site_tables.h"
#include "reports/site/job_row.h"

#define JOB_PARTS (JOB_COLUMNS - JOB_AT_REST)

/* Bytes of a packed column. */
struct job_part {
	void *data;
	size_t size;
};

struct fact {
	int64_t cluster, job_id, submit, attempt; /* the key */
	int64_t names[NAME_JOB_KINDS];
	/* if it came from the tables: without texts, and with only the nodes that have a line */
	struct job_row row;
	int64_t *tools, *nodes; /* numbers of the row's tools and nodes */
	struct job_part parts[JOB_PARTS]; /* what fact_put_job() made */
};

/* Notes all words of @fact->row. */
int fact_want_names(const struct fact *fact, struct names *names, struct error *err);

/*
 * Sets the numbers of the words, which must be resolved. Also drops nodes without a line, and each number that is too large for its
 * column.
 */
int fact_take_names(struct fact *fact, struct names *names, struct error *err);

/*
 * Fills the job's row (JOB_COLUMNS values). Texts and bytes live as long as @fact.
 *
 * @lines: the lines that the job was made from
 */
int fact_put_job(struct fact *fact, const struct job_lines *lines, struct database_value *values, struct error *err);

/* Fills @fact from a job's row, without the lines. Call fact_free() even if it fails. */
int fact_from_job(struct fact *fact, const struct database_value *values, struct error *err);

void fact_free(struct fact *fact);

#endif
