/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether the site has turned stint off: for all jobs, this node, a user or a partition. */
#ifndef STINT_OFF_H
#define STINT_OFF_H

#include <stdbool.h>
#include <stdint.h>

#include "spank/options.h"

#define OFF_FILE "off" /* a file in the run directory; while it exists, no job is counted */

/*
 * Returns whether the site has turned stint off for jobs of @uid in @partition.
 *
 * @partition: if NULL, the list of partitions is ignored
 */
bool off_for(const struct options_arguments *site, uint32_t uid, const char *partition);

#endif
