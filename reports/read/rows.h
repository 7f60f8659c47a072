/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores a summary of each report that was found. Each summary is a row of a table. */
#ifndef STINT_ROWS_H
#define STINT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/read/summary.h"

struct rows {
	const char *who;  /* how each message about a file on standard error begins, such as "stint report" */
	int64_t attempt;  /* the only attempt of a job to keep; 0 for the latest attempt */
	struct summary *list;
	size_t count;
	bool failed;
	bool unfinished; /* also add rows for tasks of an array that run or wait; such a row has no path, because the task has
			  * no report yet */
	bool verbose; /* print a message about each place where a job was looked for */
};

/* Appends @row to @rows, which then owns it. If out of memory, returns false, and the caller still owns @row. */
bool rows_add(struct rows *rows, const struct summary *row);

void rows_free(struct rows *rows);

/* Returns true if both rows are attempts of one job. */
bool rows_same_job(const struct summary *one, const struct summary *other);

/* Removes all rows. Does not free the list, so that it can be used again. */
void rows_drop(struct rows *rows);

/*
 * Removes all attempts of each job except the attempt @rows->attempt. If @rows->attempt is 0, keeps the latest attempt.
 */
void rows_keep_attempts(struct rows *rows);

/* Puts the oldest job first. */
void rows_sort(struct rows *rows);

/*
 * Sorts the attempts of one job by their numbers, the first attempt first. Does not sort by time, because Slurm may not
 * have said when an earlier attempt began.
 */
void rows_sort_attempts(struct rows *rows);

#endif
