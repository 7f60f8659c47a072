/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/time_text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *digits_text(char *at, unsigned int digits, long value)
{
	for (unsigned int i = digits; i > 0; i--, value /= 10)
		at[i - 1] = (char)('0' + value % 10);
	return at + digits;
}

/* printf() would take ten times as long. */
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

static void copy_part(char *part, size_t size, const char *from)
{
	memcpy(part, from, size - 1);
	part[size - 1] = '\0';
}

bool time_split(const char *text, struct time_parts *parts)
{
	int64_t unix_us;

	if (!time_parse(text, &unix_us) || strlen(text) != strlen("2026-11-20T22:35:13.123+00:00"))
		return false;
	copy_part(parts->day, sizeof(parts->day), text);
	copy_part(parts->clock, sizeof(parts->clock), text + strlen("2026-11-20T"));
	copy_part(parts->zone, sizeof(parts->zone), text + strlen("2026-11-20T22:35:13.123"));
	return true;
}
