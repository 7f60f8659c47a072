/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks of an array that must be submitted again. */
#ifndef STINT_GROUP_AGAIN_H
#define STINT_GROUP_AGAIN_H

#include <stddef.h>

#include "reports/read/summary.h"

/*
 * Returns the tasks among @rows, which are of one array, that ended but did not complete. The text has the form of
 * sbatch --array: "7,19-21". Free it. NULL: there are none, or memory is short.
 */
char *group_again(const struct summary *rows, size_t count);

#endif
