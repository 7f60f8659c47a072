/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the reports that were found, as summaries, which are the rows of a table. */
#ifndef STINT_ROWS_H
#define STINT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/read/summary.h"

struct rows {
	const char *who;  /* the begin of each message about a file on standard error, such as "stint report" */
	int64_t attempt;  /* the only attempt of a job to keep; 0 for the latest attempt */
	struct summary *list;
	size_t count;
	bool failed;
	bool unfinished; /* also include tasks of an array that run or wait, which have no report, and so no path */
	bool verbose; /* print a message about each place where a job was looked for */
};

/* Appends @row to @rows, which then owns it. If out of memory, returns false, and the caller still owns @row. */
bool rows_add(struct rows *rows, const struct summary *row);

void rows_free(struct rows *rows);

/* Returns true if both rows are attempts of one job. */
bool rows_same_job(const struct summary *one, const struct summary *other);

/* Removes all rows, and keeps their memory for reuse. */
void rows_drop(struct rows *rows);

/* Keeps one attempt of each job: the attempt rows->attempt, or the latest if that is 0. */
void rows_keep_attempts(struct rows *rows);

/* Puts the oldest job first. */
void rows_sort(struct rows *rows);

/*
 * Sorts the attempts of one job by their numbers, the first attempt first. The times are not used, because Slurm may
 * not have said when an earlier attempt began.
 */
void rows_sort_attempts(struct rows *rows);

#endif
