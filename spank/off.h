/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the site has turned stint off: for all jobs, for this node, for a user or for a partition. */
#ifndef STINT_OFF_H
#define STINT_OFF_H

#include <stdbool.h>
#include <stdint.h>

#include "spank/options.h"

#define OFF_FILE "off" /* below the run directory: while it exists, no job of this node is counted */

/*
 * Returns whether jobs of user @uid in @partition must not be counted.
 *
 * @partition: its name; NULL: not known, and then no partition is off
 */
bool off_for(const struct options_arguments *site, uint32_t uid, const char *partition);

#endif
