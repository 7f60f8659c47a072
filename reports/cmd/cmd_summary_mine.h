/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STINT_CMD_SUMMARY_MINE_H
#define STINT_CMD_SUMMARY_MINE_H

#include "common/conf.h"
#include "reports/site/jobs_summary.h"

/*
 * Adds this user's jobs of the period, and of the previous period, to @summary.
 * Asks Slurm for these jobs. Prints a message if Slurm no longer knows some of them.
 *
 * @now_us: microseconds since 1970
 *
 * Returns 0; -1 with @err set if Slurm does not answer, or if out of memory.
 */
int summary_mine(struct jobs_summary *summary, const struct conf *conf, int64_t now_us, struct error *err);

#endif
