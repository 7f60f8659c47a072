/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Days of the store. They are those of this process's time zone, which is the database's (docs/store.md). */
#ifndef STINT_SITE_DAYS_H
#define STINT_SITE_DAYS_H

#include <stdint.h>

/* Returns the day of the moment @us, in microseconds since 1970 UTC, such as 20261122; 0 if it has no such number. */
int64_t site_day(int64_t us);

/* Returns noon of the day @date, such as 20261122, or of the first day of the month, such as 202611. */
int64_t site_day_noon(int64_t date);

#endif
