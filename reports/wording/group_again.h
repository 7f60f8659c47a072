/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks of an array that have to be submitted again. */
#ifndef STINT_GROUP_AGAIN_H
#define STINT_GROUP_AGAIN_H

#include <stddef.h>

#include "reports/read/summary.h"

/*
 * Returns the tasks among @rows, which are of one array, that ended and did not complete, as sbatch --array takes them:
 * "7,19-21"; to be freed. NULL: there are none, or there is no memory.
 */
char *group_again(const struct summary *rows, size_t count);

#endif
