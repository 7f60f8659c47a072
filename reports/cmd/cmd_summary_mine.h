/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks Slurm for the jobs of this user, for stint summary --mine. */
#ifndef STINT_CMD_SUMMARY_MINE_H
#define STINT_CMD_SUMMARY_MINE_H

#include "common/conf.h"
#include "reports/site/jobs_summary.h"

/*
 * Asks Slurm for this user's jobs in the period of @summary and in the previous period, and adds these jobs to
 * @summary. If Slurm has already forgotten some of them, prints that on standard error.
 *
 * @now_us: the current time, in microseconds since 1970
 *
 * Returns 0; -1 with @err set if Slurm does not answer, or if out of memory.
 */
int summary_mine(struct jobs_summary *summary, const struct conf *conf, int64_t now_us, struct error *err);

#endif
