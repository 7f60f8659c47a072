/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DURATION_MAX 1e12 /* seconds; beyond, a report was made up */

/* Writes @value in @digits digits, the lowest of it where it has more. Returns the place behind. */
static char *digits_text(char *at, unsigned int digits, long value)
{
	for (unsigned int i = digits; i > 0; i--, value /= 10)
		at[i - 1] = (char)('0' + value % 10);
	return at + digits;
}

/* By hand: a report has more of these than of anything else, and printf() takes ten times as long. */
const char *time_text(int64_t unix_ns, char text[TIME_TEXT])
{
	int64_t ns = unix_ns % NS_PER_S;
	time_t seconds = unix_ns / NS_PER_S - (ns < 0);
	char *at = text;
	struct tm local;
	long minutes;

	if (ns < 0)
		ns += NS_PER_S;
	localtime_r(&seconds, &local);
	minutes = local.tm_gmtoff / 60;
	at = digits_text(at, 4, local.tm_year + 1900);
	*at++ = '-';
	at = digits_text(at, 2, local.tm_mon + 1);
	*at++ = '-';
	at = digits_text(at, 2, local.tm_mday);
	*at++ = 'T';
	at = digits_text(at, 2, local.tm_hour);
	*at++ = ':';
	at = digits_text(at, 2, local.tm_min);
	*at++ = ':';
	at = digits_text(at, 2, local.tm_sec);
	*at++ = '.';
	at = digits_text(at, 3, (long)(ns / 1000000));
	*at++ = minutes < 0 ? '-' : '+';
	at = digits_text(at, 2, labs(minutes) / 60);
	*at++ = ':';
	at = digits_text(at, 2, labs(minutes) % 60);
	*at = '\0';
	return text;
}

/* Takes the number of exactly @digits digits at @*at; false when there is none. */
static bool take_digits(const char **at, int digits, int *value)
{
	*value = 0;
	for (int i = 0; i < digits; i++, (*at)++) {
		if (**at < '0' || **at > '9')
			return false;
		*value = *value * 10 + (**at - '0');
	}
	return true;
}

static bool take_sign(const char **at, char sign)
{
	return *(*at)++ == sign;
}

static int take_decimals(const char **at)
{
	int value = 0, unit = 100000;

	if (**at != '.')
		return 0;
	for ((*at)++; **at >= '0' && **at <= '9'; (*at)++, unit /= 10)
		value += (**at - '0') * unit;
	return value;
}

static bool take_zone(const char *at, int *minutes)
{
	int hours, rest, sign = *at == '-' ? -1 : 1;

	*minutes = 0;
	if (strcmp(at, "Z") == 0)
		return true;
	if (*at != '+' && *at != '-')
		return false;
	at++;
	if (!take_digits(&at, 2, &hours) || !take_sign(&at, ':') || !take_digits(&at, 2, &rest) || *at)
		return false;
	*minutes = sign * (hours * 60 + rest);
	return true;
}

bool time_parse(const char *text, int64_t *unix_us)
{
	struct tm parts = { 0 };
	int decimals, zone;

	if (!text || !take_digits(&text, 4, &parts.tm_year) || !take_sign(&text, '-') ||
	    !take_digits(&text, 2, &parts.tm_mon) || !take_sign(&text, '-') ||
	    !take_digits(&text, 2, &parts.tm_mday) || !take_sign(&text, 'T') ||
	    !take_digits(&text, 2, &parts.tm_hour) || !take_sign(&text, ':') ||
	    !take_digits(&text, 2, &parts.tm_min) || !take_sign(&text, ':') || !take_digits(&text, 2, &parts.tm_sec))
		return false;
	decimals = take_decimals(&text);
	if (!take_zone(text, &zone) || parts.tm_year < 1700 || parts.tm_year > 2200)
		return false;
	parts.tm_year -= 1900;
	parts.tm_mon--;
	*unix_us = ((int64_t)timegm(&parts) - 60 * zone) * US_PER_S + decimals;
	return true;
}

static double bounded(double value)
{
	if (!(value > 0))
		return 0;
	return value < DURATION_MAX ? value : DURATION_MAX;
}

const char *duration_text(double seconds, char text[DURATION_TEXT])
{
	long long whole = llround(bounded(seconds));
	int used = 0;

	if (whole >= 86400)
		used = snprintf(text, DURATION_TEXT, "%lld-", whole / 86400);
	snprintf(text + used, DURATION_TEXT - used, "%02lld:%02lld:%02lld", whole / 3600 % 24, whole / 60 % 60,
		 whole % 60);
	return text;
}

const char *short_duration_text(double seconds, char text[DURATION_TEXT])
{
	seconds = bounded(seconds);
	if (seconds < 0.9995)
		snprintf(text, DURATION_TEXT, "%.3f s", seconds);
	else if (seconds < 9.995)
		snprintf(text, DURATION_TEXT, "%.2f s", seconds);
	else if (seconds < 59.95)
		snprintf(text, DURATION_TEXT, "%.1f s", seconds);
	else
		duration_text(seconds, text);
	return text;
}

const char *size_text(double bytes, char text[SIZE_TEXT])
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	size_t unit = 0;

	if (!(bytes >= 1024)) {
		snprintf(text, SIZE_TEXT, "%.0f B", bytes > 0 ? bytes : 0);
		return text;
	}
	bytes /= 1024;
	/* 1023.95 would be rounded to 1024.0 of the smaller unit */
	while (bytes >= 1023.95 && unit < sizeof(units) / sizeof(units[0]) - 1) {
		bytes /= 1024;
		unit++;
	}
	if (bytes > 1e6)
		bytes = 1e6;
	snprintf(text, SIZE_TEXT, "%.1f %s", bytes, units[unit]);
	return text;
}

const char *short_size_text(double bytes, char text[SIZE_TEXT])
{
	static const char units[] = "KMGTPE";
	size_t unit = 0;

	if (!(bytes >= 1024)) {
		snprintf(text, SIZE_TEXT, "%.0f", bytes > 0 ? bytes : 0);
		return text;
	}
	bytes /= 1024;
	while (bytes >= 1023.5 && unit < sizeof(units) - 2) {
		bytes /= 1024;
		unit++;
	}
	if (bytes > 1e6)
		bytes = 1e6;
	snprintf(text, SIZE_TEXT, bytes < 9.95 ? "%.1f%c" : "%.0f%c", bytes, units[unit]);
	return text;
}
