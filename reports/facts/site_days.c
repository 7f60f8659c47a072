/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_days.h"

#include <time.h>

#define US_PER_S INT64_C(1000000)

int64_t site_day(int64_t us)
{
	time_t moment = (time_t)(us / US_PER_S);
	struct tm parts;

	if (!localtime_r(&moment, &parts) || parts.tm_year > 9999 - 1900)
		return 0;
	return (parts.tm_year + 1900) * 10000 + (parts.tm_mon + 1) * 100 + parts.tm_mday;
}

int64_t site_day_noon(int64_t date)
{
	int64_t day = date < 1000000 ? date * 100 + 1 : date;
	struct tm parts = { .tm_year = (int)(day / 10000) - 1900, .tm_mon = (int)(day / 100 % 100) - 1,
			    .tm_mday = (int)(day % 100), .tm_hour = 12, .tm_isdst = -1 };

	return (int64_t)mktime(&parts) * US_PER_S;
}
