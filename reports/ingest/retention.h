/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many months the tables keep their rows, and dropping of older ones. The archive is not touched. */
#ifndef STINT_RETENTION_H
#define STINT_RETENTION_H

#include <stdint.h>

#include "reports/database/database.h"

/* Months to keep, including this one; 0: all. */
struct retention {
	int job, missing, days, months, batch;
};

/*
 * Checks that jobs are kept for at least two months, and that no rollup is kept for less time than the jobs it is made from.
 *
 * Returns 0; -1 with @err set.
 */
int retention_check(const struct retention *keep, struct error *err);

/*
 * Returns the oldest of @months months, as 202611; 0: all are kept. The newest is that of @now_s, but never after the newest month
 * that has jobs, so that a wrong clock drops nothing.
 */
int retention_oldest(struct database *db, int months, int64_t now_s);

/*
 * Drops what is older than @keep, in short steps. If it is killed at any moment, the next call continues.
 *
 * @dropped: gets how many monthly tables were dropped
 *
 * Returns 0; -1 with @err set.
 */
int retention_apply(struct database *db, const struct retention *keep, int64_t now_s, int *dropped, struct error *err);

#endif
