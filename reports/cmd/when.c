/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/cmd/when.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Returns the length of one unit in seconds; 0: no unit. */
static int64_t unit_s(char letter)
{
	switch (letter) {
	case 's':
		return 1;
	case 'm':
		return 60;
	case 'h':
		return 3600;
	case 'd':
		return 86400;
	case 'w':
		return 7 * 86400;
	default:
		return 0;
	}
}

static bool read_ago(const char *text, int64_t now_s, int64_t *unix_s)
{
	int64_t count, unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	count = strtoll(text, &end, 10);
	unit = unit_s(*end);
	if (errno || !unit || end[1] || count > now_s / unit)
		return false;
	*unix_s = now_s - count * unit;
	return true;
}

/* @days: before today */
static bool read_day(int64_t now_s, int days, int64_t *unix_s)
{
	time_t now = now_s;
	struct tm day;

	if (!localtime_r(&now, &day))
		return false;
	day.tm_sec = day.tm_min = day.tm_hour = 0;
	day.tm_mday -= days;
	day.tm_isdst = -1;
	*unix_s = mktime(&day);
	return *unix_s >= 0;
}

static bool read_date(const char *text, int64_t *unix_s)
{
	static const char *const forms[] = { "%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M",
					     "%Y-%m-%d %H:%M:%S" };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct tm moment = { .tm_isdst = -1 };
		const char *end = strptime(text, forms[i], &moment);

		if (!end || *end)
			continue;
		moment.tm_isdst = -1;
		*unix_s = mktime(&moment);
		return *unix_s >= 0;
	}
	return false;
}

bool when_read(const char *text, int64_t now_s, int64_t *unix_s)
{
	if (strcmp(text, "now") == 0) {
		*unix_s = now_s;
		return true;
	}
	if (strcmp(text, "today") == 0)
		return read_day(now_s, 0, unix_s);
	if (strcmp(text, "yesterday") == 0)
		return read_day(now_s, 1, unix_s);
	return read_ago(text, now_s, unix_s) || read_date(text, unix_s);
}
