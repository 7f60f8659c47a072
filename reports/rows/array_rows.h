/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joins all tasks of an array into one row, for lists. */
#ifndef STINT_ARRAY_ROWS_H
#define STINT_ARRAY_ROWS_H

#include "reports/read/rows.h"

/*
 * Replaces the rows of an array by one row, if the array has several rows or has tasks that wait together. The new row
 * stands where the array's first row stood. Its members are:
 *
 *	tasks	how many tasks ended well, failed, run or wait: "37 ok, 3 failed"
 *	state	the state of the tasks that run; if none runs, of those that wait; else of the first task that failed
 *	elapsed_s, memory, time limit	the values of the task with the largest value
 *	cpu_efficiency	the efficiency of all tasks together
 *	findings	the findings of the task with the worst finding
 */
void rows_join_arrays(struct rows *rows);

#endif
