/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job as it stands in the tables. */
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
	/* where it came from the tables: without texts, and with the nodes that have a line alone */
	struct job_row row;
	int64_t *tools, *nodes; /* numbers of the row's tools and nodes */
	struct job_part parts[JOB_PARTS]; /* what fact_put_job() made */
};

/* Notes all words of @fact->row. */
int fact_want_names(const struct fact *fact, struct names *names, struct error *err);

/*
 * Sets the numbers, when they are resolved. Nodes without a line are left out of what follows, and so is each number
 * that is more than its column can have.
 */
int fact_take_names(struct fact *fact, struct names *names, struct error *err);

/*
 * Fills the job's row (JOB_COLUMNS values). Texts and bytes live as long as @fact.
 *
 * @lines: those that it was made of
 */
int fact_put_job(struct fact *fact, const struct job_lines *lines, struct database_value *values, struct error *err);

/* Fills @fact from a job's row; its lines stay there. Either way fact_free() it. */
int fact_from_job(struct fact *fact, const struct database_value *values, struct error *err);

void fact_free(struct fact *fact);

#endif
