/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks slurmdbd which jobs ended, and who may see the jobs of others. The store is then compared with the answers. */
#ifndef STINT_SLURM_ENDED_H
#define STINT_SLURM_ENDED_H

#include <stdint.h>

#include "common/error.h"

/*
 * Asks for the jobs of all users that ended from @since_s to @until_s - 1 (seconds since 1970).
 * @cluster: NULL for the cluster of this host.
 * Returns the lines of stint-slurm-job --ended, for free(): JSON, one line for each attempt.
 * Returns NULL with @err set on failure.
 */
char *slurm_ended(const char *cluster, int64_t since_s, int64_t until_s, struct error *err);

/*
 * Asks who may see the jobs of others.
 * Returns the lines of stint-slurm-job --people, for free(): JSON, one line for each user.
 * Returns NULL with @err set on failure.
 */
char *slurm_people(struct error *err);

#endif
