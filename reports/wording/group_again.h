/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STINT_GROUP_AGAIN_H
#define STINT_GROUP_AGAIN_H

#include <stddef.h>

#include "reports/read/summary.h"

/*
 * Returns the tasks that ended and did not complete, for sbatch --array: "7,19-21".
 * @rows: tasks of one array.
 * Returns a text that the caller frees; NULL if there are no such tasks, or if out of memory.
 */
char *group_again(const struct summary *rows, size_t count);

#endif
