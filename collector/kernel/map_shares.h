/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes how many entries of a shared table one job, or one user, may have.
 */
#ifndef STINT_MAP_SHARES_H
#define STINT_MAP_SHARES_H

#include <stddef.h>

#define SHARE_FEW 16 /* the number of entries that each job, or each user, may always have, even if the table is full */

/*
 * Returns how many entries each of @jobs jobs (or users) may have, at most @most. The table has @entries entries, of
 * which @used are in use. Three quarters of the free entries are divided equally. So even if all jobs use all their
 * entries at once, a quarter of the free entries remains for later jobs.
 *
 * Users have equal shares, and each job of a user has an equal part of the user's share. To get the part of a job, pass
 * as @jobs the number of users multiplied by the number of this user's jobs.
 */
size_t shares_of(size_t entries, size_t used, size_t jobs, size_t most);

#endif
