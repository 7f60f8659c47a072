/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds whether the site has turned stint off: for all jobs, for this node, for a user or for a partition. */
#ifndef STINT_OFF_H
#define STINT_OFF_H

#include <stdbool.h>
#include <stdint.h>

#include "spank/options.h"

#define OFF_FILE "off" /* name of a file below the run directory; while it exists, no job of this node is counted */

/*
 * Returns whether stint is off for jobs of the user @uid in @partition, so that they must not be counted.
 *
 * @partition: the partition's name; NULL: not known, and then no partition counts as off
 */
bool off_for(const struct options_arguments *site, uint32_t uid, const char *partition);

#endif
