/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row for all tasks of an array, for lists. */
#ifndef STINT_ARRAY_ROWS_H
#define STINT_ARRAY_ROWS_H

#include "reports/read/rows.h"

/*
 * Puts one row in the place of the rows of each array that has several, or has tasks that wait together. It stands where the first of
 * them stood, and has:
 *
 *	tasks	how many ended well, failed, run or wait: "37 ok, 3 failed"
 *	state	that of the tasks that run, else of those that wait, else of the first that failed
 *	elapsed_s, memory, time limit	those of the task that has the most of it
 *	cpu_efficiency	of all of them together
 *	findings	of the task with the worst
 */
void rows_join_arrays(struct rows *rows);

#endif
