/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores a summary of each report that was found. Each summary is a row of a table. */
#ifndef STINT_ROWS_H
#define STINT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/read/summary.h"

struct rows {
	const char *who;  /* begins each message, such as "stint report" */
	int64_t attempt;  /* the only attempt to keep; 0 for the latest */
	struct summary *list;
	size_t count;
	bool failed;
	bool unfinished; /* also add tasks of an array that run or wait; their rows have no path */
	bool verbose; /* print each place where a job was looked for */
};

/* Appends @row, which @rows then owns. If out of memory, returns false, and the caller still owns @row. */
bool rows_add(struct rows *rows, const struct summary *row);

void rows_free(struct rows *rows);

/* Returns whether the rows are attempts of one job. */
bool rows_same_job(const struct summary *one, const struct summary *other);

/* Removes all rows. The list can be used again. */
void rows_drop(struct rows *rows);

/* Keeps only the attempt @rows->attempt of each job; if that is 0, the latest attempt. */
void rows_keep_attempts(struct rows *rows);

/* The oldest job first. */
void rows_sort(struct rows *rows);

/* Sorts the attempts of one job by number. Slurm may not have said when an earlier attempt began. */
void rows_sort_attempts(struct rows *rows);

#endif
