/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a job to the row that the tables store, and back. */
#ifndef STINT_FACT_H
#define STINT_FACT_H

#include "reports/facts/job_lines.h"
#include "reports/facts/names.h"
#include "reports/facts/site_tables.h"
#include "reports/site/job_row.h"

enum { JOB_PART_TOOLS, JOB_PART_NODES, JOB_PARTS };

/* The text of a column that is a list. */
struct job_part {
	void *data;
	size_t size;
};

struct fact {
	int64_t cluster, job_id, submit, attempt; /* the key */
	int64_t names[NAME_JOB_KINDS];
	/* if it was read from the tables, it has no texts, and only those nodes that have a line */
	struct job_row row;
	int64_t *tools, *nodes; /* the numbers of the words that are the names of the row's tools and nodes */
	struct job_part parts[JOB_PARTS]; /* the columns that fact_put_job() made */
};

/* Passes all words of @fact->row to names_want(). Returns 0; -1 with @err set. */
int fact_want_names(const struct fact *fact, struct names *names, struct error *err);

/*
 * Replaces words with their numbers. Drops nodes that have no line. Sets numbers that are too large for their columns
 * to unknown. Call names_resolve() first.
 *
 * Returns 0; -1 with @err set.
 */
int fact_take_names(struct fact *fact, struct names *names, struct error *err);

/*
 * Fills the JOB_COLUMNS values of the job's row. The texts are valid as long as @fact is. Returns 0; -1 with @err set.
 */
int fact_put_job(struct fact *fact, struct database_value *values, struct error *err);

/* Fills @fact from a job's row. Returns 0; -1 with @err set. Call fact_free() in both cases. */
int fact_from_job(struct fact *fact, const struct database_value *values, struct error *err);

/*
 * fact_take_numbers() fills only the key and the plain numbers of @fact from the row of a job, and makes all
 * measures unknown, and the start, if it follows from them. fact_take_measures() then fills the measures in @list from
 * their columns, without what follows from them (measures_compute()).
 *
 * For a column that the caller did not read, the value must be NULL, and the number becomes unknown.
 */
void fact_take_numbers(struct fact *fact, const struct database_value *values);
void fact_take_measures(struct fact *fact, const struct database_value *values, const enum job_measure *list, size_t count);

void fact_free(struct fact *fact);

#endif
