/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks slurmdbd, through stint-slurm-job, what a reconciliation needs: all that ended in a window of time, and who may
 * see it.
 */
#ifndef STINT_SLURM_ENDED_H
#define STINT_SLURM_ENDED_H

#include <stdint.h>

#include "common/error.h"

/*
 * Returns a line of JSON, as stint-slurm-job's --ended prints it, for each attempt of all users' jobs that ended from
 * @since_s to @until_s - 1 (seconds since 1970), to be freed; NULL with @err set.
 *
 * @cluster: NULL: that of this host
 */
char *slurm_ended(const char *cluster, int64_t since_s, int64_t until_s, struct error *err);

/*
 * Returns a line of JSON, as stint-slurm-job's --people prints it, for each user who sees others' jobs. Returns as
 * slurm_ended().
 */
char *slurm_people(struct error *err);

#endif
