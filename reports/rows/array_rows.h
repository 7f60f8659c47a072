/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row for all tasks of an array, for lists. */
#ifndef STINT_ARRAY_ROWS_H
#define STINT_ARRAY_ROWS_H

#include "reports/read/rows.h"

/*
 * Replaces the rows of each array that has several rows, or has tasks that wait together, by one row. It stands at the
 * place of the first of them, and has:
 *
 *	tasks	how many ended well, failed, run or wait: "37 ok, 3 failed"
 *	state	of the tasks that run, else of those that wait, else of the first that failed
 *	elapsed_s, memory, time limit	of the task with the largest value
 *	cpu_efficiency	of all tasks together
 *	findings	of the task with the worst finding
 */
void rows_join_arrays(struct rows *rows);

#endif
