/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drops rows that are older than the number of months to keep. Does not change the archive. */
#ifndef STINT_RETENTION_H
#define STINT_RETENTION_H

#include <stdint.h>

#include "reports/database/database.h"

/* How many months to keep rows of each kind, including the current month; 0 for all. */
struct retention {
	int job, missing, days, months, batch;
};

/*
 * Checks that jobs are kept for at least two months, and that rollups are kept at least as long as the jobs that
 * they are made from.
 *
 * Returns 0; -1 with @err set.
 */
int retention_check(const struct retention *keep, struct error *err);

/*
 * Returns the oldest month to keep, such as 202611, if @months months are kept. Returns 0 if all are kept. Counts
 * from the month of @now_s, or from the newest month that has jobs if that is earlier, so that a wrong clock drops
 * nothing.
 */
int retention_oldest(struct database *db, int months, int64_t now_s);

/*
 * Drops rows that are older than @keep says. Does so in short steps, so that the next call can continue if the
 * process is killed.
 *
 * @dropped: set to the number of monthly tables that were dropped
 *
 * Returns 0; -1 with @err set.
 */
int retention_apply(struct database *db, const struct retention *keep, int64_t now_s, int *dropped, struct error *err);

#endif
