/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the tables keep what they have, in months; and the dropping of what is older. The archive is not touched. */
#ifndef STINT_RETENTION_H
#define STINT_RETENTION_H

#include <stdint.h>

#include "reports/database/database.h"

/* Months, this one included; 0: all. */
struct retention {
	int job, missing, days, months, batch;
};

/*
 * Checks that no table is kept for less time than one that builds on it.
 *
 * Returns 0; -1 with @err set.
 */
int retention_check(const struct retention *keep, struct error *err);

/*
 * Returns the oldest of @months months, as 202611; 0: all are kept. The newest is that of @now_s, but none after the
 * newest of which there are jobs: a clock that is wrong drops nothing.
 */
int retention_oldest(struct database *db, int months, int64_t now_s);

/*
 * Drops what is older than @keep, in steps that are short each. Killed at any moment, the next one goes on.
 *
 * @dropped: gets how many tables of a month were dropped
 *
 * Returns 0; -1 with @err set.
 */
int retention_apply(struct database *db, const struct retention *keep, int64_t now_s, int *dropped, struct error *err);

#endif
