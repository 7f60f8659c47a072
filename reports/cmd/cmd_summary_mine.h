/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint summary --mine: the jobs are those that Slurm knows of this user. */
#ifndef STINT_CMD_SUMMARY_MINE_H
#define STINT_CMD_SUMMARY_MINE_H

#include "common/conf.h"
#include "reports/site/jobs_summary.h"

/*
 * Asks Slurm for this user's jobs of @summary's period and of the one before, and adds them. What Slurm does not know
 * any more is said on standard error.
 *
 * @now_us: of this moment
 *
 * Returns 0; -1 with @err set: Slurm does not answer, or memory is short.
 */
int summary_mine(struct jobs_summary *summary, const struct conf *conf, int64_t now_us, struct error *err);

#endif
