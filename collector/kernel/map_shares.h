/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of a shared table one job, or one user, may take. */
#ifndef STINT_MAP_SHARES_H
#define STINT_MAP_SHARES_H

#include <stddef.h>

#define SHARE_FEW 16 /* entries that a job, or a user, may take however full the table is */

/*
 * Returns how many entries each of @jobs jobs (or users) may have in a table of @entries, of which @used are taken: an
 * equal part of three quarters of the free ones, at most @most. So even if jobs take all they may at once, a quarter of
 * the free ones remains for later jobs. A job's part is one of its user's part: @jobs is the number of users times that
 * of the user's jobs.
 */
size_t shares_of(size_t entries, size_t used, size_t jobs, size_t most);

#endif
