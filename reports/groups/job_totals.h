/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets the database add up jobs, and adds the database's totals to the sums of a summary. The result is the same as if
 * each job was added by job_sums_add().
 */
#ifndef STINT_JOB_TOTALS_H
#define STINT_JOB_TOTALS_H

#include "reports/groups/job_sums.h"

#define JOB_TOTALS_COLUMNS (JOB_KEYS_MAX + 1)
#define JOB_TOTALS_MAX (2 * JOB_MEASURE_COUNT + 10)

struct job_totals_adding;
struct job_totals_taking;

/* Adds the database's answer to a group. */
typedef int job_totals_take(struct job_totals_taking *taking, const struct database_value *value, struct error *err);

/* What to ask the database. Initialize with job_totals_begin(). Do not copy it. */
struct job_totals {
	const struct jobs_summary *summary;
	size_t columns[JOB_TOTALS_COLUMNS], column_count;
	struct database_total totals[JOB_TOTALS_MAX];
	struct job_totals_how {
		job_totals_take *take;
		size_t of; /* a measure, or the offset of a count in struct job_group */
	} how[JOB_TOTALS_MAX]; /* how to take the answer to each of the totals */
	size_t total_count;
	struct database_condition brief[1], oom[3];
	struct database_field words[JOB_BINS_COUNT + 3], user[1], findings[1];
};

/*
 * Returns whether the database can make all groups of @summary. The database makes no groups by tool or node, and no
 * views.
 */
bool job_totals_can(const struct jobs_summary *summary);

void job_totals_begin(struct job_totals *totals, const struct jobs_summary *summary);

/* Context of job_totals_add() and job_totals_add_tools(). Allocate it, because it is large. */
#define JOB_TOTALS_BINS 4096
struct job_totals_adding {
	const struct job_totals *totals;
	struct job_sums *sums;
	int64_t cluster;
	bool now; /* true for jobs of the period, false for jobs of the previous period */
	uint32_t bins[JOB_BINS_COUNT][JOB_TOTALS_BINS]; /* all zero between two rows */
};

/* Adds a row that was read with totals->columns and totals->totals. @context: a struct job_totals_adding */
database_each job_totals_add;

/* The columns to read for the numbers of all tools, and the function that adds a row with these columns. */
extern const size_t job_totals_tool_columns[2];
database_each job_totals_add_tools;

#endif
