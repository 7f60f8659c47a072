/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes days in this process's time zone, which site_zone_use() sets to the time zone of the database. */
#ifndef STINT_SITE_DAYS_H
#define STINT_SITE_DAYS_H

#include <stdint.h>

/* Returns the day of @us, such as 20261122; 0 if the day cannot be computed. @us: microseconds since 1970 */
int64_t site_day(int64_t us);

/*
 * Returns noon of a day in microseconds since 1970. @date: a day such as 20261122, or a month such as 202611 for its
 * first day
 */
int64_t site_day_noon(int64_t date);

#endif
