/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reports that were found, as summaries: the rows of a table. */
#ifndef STINT_ROWS_H
#define STINT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/read/summary.h"

struct rows {
	const char *who;  /* "stint report": begins each message about a file on standard error */
	int64_t attempt;  /* the only attempt of a job to keep; 0: the latest */
	struct summary *list;
	size_t count;
	bool failed;
	bool unfinished; /* also include an array's tasks that run or wait: they have no report, and so no path */
	bool verbose; /* print a message about each place where a job was looked for */
};

/* Appends @row to @rows, which then owns it. Returns false if out of memory: the caller still owns @row. */
bool rows_add(struct rows *rows, const struct summary *row);

void rows_free(struct rows *rows);

/* Whether both are attempts of one job. */
bool rows_same_job(const struct summary *one, const struct summary *other);

/* Removes all rows, and keeps their memory for reuse. */
void rows_drop(struct rows *rows);

/* Keeps one attempt of each job: the one named by rows->attempt, or the latest. */
void rows_keep_attempts(struct rows *rows);

/* Puts the oldest job first. */
void rows_sort(struct rows *rows);

/* Sorts the attempts of one job, the first attempt first. Slurm may not have said when an earlier one began. */
void rows_sort_attempts(struct rows *rows);

#endif
