/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drops rows of old months. Does not change the archive. */
#ifndef STINT_RETENTION_H
#define STINT_RETENTION_H

#include <stdint.h>

#include "reports/database/database.h"

/* How many months to keep, including the current month; 0 for all. */
struct retention {
	int job, missing, days, months, batch;
};

/*
 * Checks that jobs are kept for two months or more, and rollups at least as long as jobs.
 *
 * Returns 0; -1 with @err set.
 */
int retention_check(const struct retention *keep, struct error *err);

/*
 * Returns the oldest month to keep, such as 202611; 0 if all are kept. Counts from the month of @now_s, or from the
 * newest month with jobs if this month is earlier. So a clock that is ahead drops nothing.
 */
int retention_oldest(struct database *db, int months, int64_t now_s);

/*
 * Drops rows that are older than @keep says, in short steps. If the process is killed, the next call continues.
 *
 * @dropped: set to the number of monthly tables that were dropped
 *
 * Returns 0; -1 with @err set.
 */
int retention_apply(struct database *db, const struct retention *keep, int64_t now_s, int *dropped, struct error *err);

#endif
