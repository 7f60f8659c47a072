/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether the site has turned stint off: for all jobs, for this node, for a user or for a partition. */
#ifndef STINT_OFF_H
#define STINT_OFF_H

#include <stdbool.h>
#include <stdint.h>

#include "spank/options.h"

#define OFF_FILE "off" /* name of a file below the run directory; while it exists, no job of this node is counted */

/*
 * Returns whether the site has turned stint off for jobs of the user @uid in @partition. If it has, do not count the
 * job.
 *
 * @partition: the partition's name; if NULL, the name is not known, and the list of partitions is ignored
 */
bool off_for(const struct options_arguments *site, uint32_t uid, const char *partition);

#endif
