/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes days for the store, in this process's time zone. site_zone_use() sets that to the zone of the database
 * (docs/store.md).
 */
#ifndef STINT_SITE_DAYS_H
#define STINT_SITE_DAYS_H

#include <stdint.h>

/*
 * Returns the day of the time @us as a number such as 20261122; 0 if there is no such number. @us: microseconds
 * since 1970 UTC
 */
int64_t site_day(int64_t us);

/*
 * Returns noon of @date in microseconds since 1970. @date is a day, such as 20261122, or a month, such as 202611,
 * which means its first day.
 */
int64_t site_day_noon(int64_t date);

#endif
