/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the tasks of an array that must be submitted again. */
#ifndef STINT_GROUP_AGAIN_H
#define STINT_GROUP_AGAIN_H

#include <stddef.h>

#include "reports/read/summary.h"

/*
 * Returns the tasks among @rows that ended but did not complete, as text for sbatch --array: "7,19-21". All @rows
 * must be tasks of one array. The caller must free the text. NULL if there are no such tasks, or if out of memory.
 */
char *group_again(const struct summary *rows, size_t count);

#endif
