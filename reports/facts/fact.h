/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job as it stands in the tables. */
#ifndef STINT_FACT_H
#define STINT_FACT_H

#include "reports/facts/names.h"
#include "reports/facts/site_tables.h"
#include "reports/site/job_row.h"

struct fact {
	int64_t cluster, job_id, submit, attempt; /* the key */
	int64_t names[NAME_JOB_KINDS];
	/* where it came from the tables: without texts, and with the nodes that have a line alone */
	struct job_row row;
	int64_t *tools, *nodes; /* numbers of the row's tools and nodes */
};

/* Notes all words of @fact->row. */
int fact_want_names(const struct fact *fact, struct names *names, struct error *err);

/* Sets the numbers, when they are resolved. Nodes without a line are left out of what follows. */
int fact_take_names(struct fact *fact, struct names *names, struct error *err);

/* Fills the job's row (JOB_COLUMNS values). Texts are borrowed. */
void fact_put_job(const struct fact *fact, struct database_value *values);

/* Fills the row (TOOL_COLUMNS) of the job's tool @i. */
void fact_put_tool(const struct fact *fact, size_t i, struct database_value *values);

/* Fills @fact from a job's row. fact_add_tool() and fact_add_node() add their rows. */
int fact_from_job(struct fact *fact, const struct database_value *values, struct error *err);
int fact_add_tool(struct fact *fact, const struct database_value *values, struct error *err);
int fact_add_node(struct fact *fact, const struct database_value *values, struct error *err);

void fact_free(struct fact *fact);

#endif
