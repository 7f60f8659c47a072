/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint summary --mine: takes the jobs of this user from Slurm. */
#ifndef STINT_CMD_SUMMARY_MINE_H
#define STINT_CMD_SUMMARY_MINE_H

#include "common/conf.h"
#include "reports/site/jobs_summary.h"

/*
 * Asks Slurm for this user's jobs in @summary's period and in the one before, and adds them. If Slurm no longer knows
 * all of them, says so on standard error.
 *
 * @now_us: the current time
 *
 * Returns 0; -1 with @err set: Slurm does not answer, or out of memory.
 */
int summary_mine(struct jobs_summary *summary, const struct conf *conf, int64_t now_us, struct error *err);

#endif
