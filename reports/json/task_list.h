/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads Slurm's list of an array's waiting tasks, such as "1,4-8:2%3".
 * Slurm cuts a long list, and ends it with "...".
 */
#ifndef STINT_TASK_LIST_H
#define STINT_TASK_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether @tasks has @task. Also true for a list that was cut: its rest may have @task. */
bool task_list_has(const char *tasks, int64_t task);

/* Returns how many tasks @tasks has. A list that was cut has more. */
int64_t task_list_count(const char *tasks);

#endif
