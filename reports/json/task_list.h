/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the list of an array's waiting tasks, as Slurm writes it, such as "1,4-8:2%3". Slurm cuts a long list, and ends
 * it with "...".
 */
#ifndef STINT_TASK_LIST_H
#define STINT_TASK_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if @tasks has @task, or may have it because the list was cut. */
bool task_list_has(const char *tasks, int64_t task);

/* Returns the least number of tasks that can be in @tasks. */
int64_t task_list_count(const char *tasks);

#endif
