/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/cmd/when.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/time_text.h"
#include "common/usage.h"

#define SPAN_MAX_S (10000 * 7 * INT64_C(86400))
#define YEAR_MAX 2200

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

static bool read_span(const char *text, int64_t *span_s)
{
	int64_t count, unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	count = strtoll(text, &end, 10);
	unit = unit_s(*end);
	if (errno || !unit || end[1] || count > SPAN_MAX_S / unit)
		return false;
	*span_s = count * unit;
	return true;
}

static bool read_ago(const char *text, int64_t now_s, int64_t *unix_s)
{
	int64_t span_s;

	if (!read_span(text, &span_s) || span_s > now_s)
		return false;
	*unix_s = now_s - span_s;
	return true;
}

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

/* A 9 in @form stands for any digit. */
static bool has_form(const char *text, const char *form)
{
	for (; *form; text++, form++)
		if (*form == '9' ? *text < '0' || *text > '9' : *text != *form)
			return false;
	return !*text;
}

static bool read_date(const char *text, int64_t *unix_s)
{
	static const char *const forms[] = { "9999-99-99", "9999-99-99T99:99", "9999-99-99 99:99", "9999-99-99T99:99:99",
					     "9999-99-99 99:99:99" };
	struct tm moment = { .tm_isdst = -1 }, given;
	bool known = false;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		known = known || has_form(text, forms[i]);
	if (!known)
		return false;
	sscanf(text, "%4d-%2d-%2d%*c%2d:%2d:%2d", &moment.tm_year, &moment.tm_mon, &moment.tm_mday, &moment.tm_hour,
	       &moment.tm_min, &moment.tm_sec);
	if (moment.tm_year > YEAR_MAX || moment.tm_hour > 23 || moment.tm_min > 59 || moment.tm_sec > 59)
		return false;
	moment.tm_year -= 1900;
	moment.tm_mon -= 1;
	given = moment;
	*unix_s = mktime(&moment);
	/* mktime() turns the 31st of February into the 3rd of March: refuse that. */
	return *unix_s >= 0 && moment.tm_mon == given.tm_mon && moment.tm_mday == given.tm_mday;
}

static bool read_local(const char *text, int64_t now_s, int64_t *unix_s)
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

bool when_read(const char *text, int64_t now_us, int64_t *unix_us)
{
	int64_t unix_s, day_s, with_zone_us;
	char day[sizeof("2026-11-20")];

	if (read_local(text, now_us / US_PER_S, &unix_s)) {
		*unix_us = unix_s * US_PER_S;
		return true;
	}
	/* time_parse() accepts 31 days in each month, so check the day with read_date(). */
	snprintf(day, sizeof(day), "%s", text);
	if (!read_date(day, &day_s) || !time_parse(text, &with_zone_us) || with_zone_us < 0)
		return false;
	*unix_us = with_zone_us;
	return true;
}

bool when_read_span(const char *text, int64_t *span_us)
{
	int64_t span_s;

	if (!read_span(text, &span_s) || span_s == 0)
		return false;
	*span_us = span_s * US_PER_S;
	return true;
}

int64_t when_option(const char *option, const char *value, int64_t now_us, const struct argp_state *state)
{
	int64_t unix_us;

	if (!when_read(value, now_us, &unix_us))
		usage_fail(state, "%s: '%s' is not a time " WHEN_FORMS, option, value);
	return unix_us;
}

int64_t when_span_option(const char *option, const char *value, const struct argp_state *state)
{
	int64_t span_us;

	if (!when_read_span(value, &span_us))
		usage_fail(state, "%s: '%s' is not a duration like 12h, 30d or 4w", option, value);
	return span_us;
}
