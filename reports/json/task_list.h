/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the list of the waiting tasks of an array, as Slurm writes it, such as "1,4-8:2%3". Slurm cuts a long list,
 * and then ends it with "...".
 */
#ifndef STINT_TASK_LIST_H
#define STINT_TASK_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if @tasks has @task. Also returns true if @tasks was cut, because @task may be in the rest. */
bool task_list_has(const char *tasks, int64_t task);

/* Returns how many tasks @tasks has. If @tasks was cut, there are more tasks than that. */
int64_t task_list_count(const char *tasks);

#endif
