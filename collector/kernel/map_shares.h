/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes how many entries of a shared table a job or a user may have. */
#ifndef STINT_MAP_SHARES_H
#define STINT_MAP_SHARES_H

#include <stddef.h>

#define SHARE_FEW 16 /* entries that a job or a user may always have */

/*
 * Returns how many entries each of @jobs jobs (or users) may have, at most @most.
 *
 * @entries: of the table
 * @used: entries in use
 *
 * Three quarters of the free entries are divided equally. The rest is for later jobs.
 *
 * For the jobs of one user, @jobs is the number of users times the number of this user's jobs.
 */
size_t shares_of(size_t entries, size_t used, size_t jobs, size_t most);

#endif
