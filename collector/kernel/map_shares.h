/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes how much of a shared table one job, or one user, may use. */
#ifndef STINT_MAP_SHARES_H
#define STINT_MAP_SHARES_H

#include <stddef.h>

#define SHARE_FEW 16 /* the entries that a job, or a user, may always have, however full the table is */

/*
 * Returns how many entries each of @jobs jobs (or users) may have, at most @most, in a table of @entries with @used in
 * use. Each gets an equal part of three quarters of the free entries. So even if all jobs use their parts at once, a
 * quarter of the free entries remains for later jobs.
 *
 * Users have equal parts, and each job of a user has an equal part of the user's part. For the part of a job, @jobs is
 * the number of users multiplied by the number of this user's jobs.
 */
size_t shares_of(size_t entries, size_t used, size_t jobs, size_t most);

#endif
