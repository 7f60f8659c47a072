/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drops rows of the tables that are older than the number of months to keep. Does not change the archive. */
#ifndef STINT_RETENTION_H
#define STINT_RETENTION_H

#include <stdint.h>

#include "reports/database/database.h"

/* How many months to keep, including this one; 0 for all. */
struct retention {
	int job, missing, days, months, batch;
};

/*
 * Checks that jobs are kept for at least two months, and that each rollup is kept at least as long as the jobs that
 * it is made from.
 *
 * Returns 0; -1 with @err set.
 */
int retention_check(const struct retention *keep, struct error *err);

/*
 * Returns the oldest month to keep if @months months are kept, as 202611; 0 if all are kept. The newest month is that
 * of @now_s, but at most the newest month that has jobs. So a wrong clock drops nothing.
 */
int retention_oldest(struct database *db, int months, int64_t now_s);

/*
 * Drops rows that are older than @keep says, in short steps. If the process is killed, the next call continues.
 *
 * @dropped: receives the number of monthly tables that were dropped
 *
 * Returns 0; -1 with @err set.
 */
int retention_apply(struct database *db, const struct retention *keep, int64_t now_s, int *dropped, struct error *err);

#endif
