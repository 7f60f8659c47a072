/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joins all tasks of an array into one row, for lists. */
#ifndef STINT_ARRAY_ROWS_H
#define STINT_ARRAY_ROWS_H

#include "reports/read/rows.h"

/*
 * Replaces the rows of an array by one row, at the place of the first row.
 * Leaves a single row of a single task as it is. The new row has:
 *
 * 	tasks	how many tasks ended well, failed, run or wait: "37 ok, 3 failed"
 * 	state	of the tasks that run; if no task runs, of the tasks that wait; else of the first failed task
 * 	elapsed_s, memory, time limit	each of the task with the largest value
 * 	cpu_efficiency	of all tasks together
 * 	findings	of the task with the worst finding
 */
void rows_join_arrays(struct rows *rows);

#endif
