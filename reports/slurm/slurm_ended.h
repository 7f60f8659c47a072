/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks slurmdbd, through stint-slurm-job, for all jobs that ended in a window of time, and for the users who may see
 * the jobs of others. The reconciliation of a store with slurmdbd needs both.
 */
#ifndef STINT_SLURM_ENDED_H
#define STINT_SLURM_ENDED_H

#include <stdint.h>

#include "common/error.h"

/*
 * Returns a line of JSON, as stint-slurm-job --ended prints it, for each attempt of all users' jobs that ended from
 * @since_s to @until_s - 1 (seconds since 1970). The caller must free the text. On failure returns NULL with @err set.
 *
 * @cluster: NULL for the cluster of this host
 */
char *slurm_ended(const char *cluster, int64_t since_s, int64_t until_s, struct error *err);

/*
 * Returns a line of JSON, as stint-slurm-job --people prints it, for each user who may see the jobs of others. The
 * caller must free the text. On failure returns NULL with @err set.
 */
char *slurm_people(struct error *err);

#endif
