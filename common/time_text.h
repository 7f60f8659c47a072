/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes and reads times in the form of RFC 3339. No other file does this. */
#ifndef STINT_TIME_TEXT_H
#define STINT_TIME_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_S INT64_C(1000000000)
#define US_PER_S INT64_C(1000000)

#define TIME_TEXT 48

/*
 * Writes a time in RFC 3339 with milliseconds, in the local zone: "2026-11-20T22:35:13.123+00:00".
 *
 * @unix_ns: nanoseconds since 1970 UTC
 *
 * Returns @text.
 */
const char *time_text(int64_t unix_ns, char text[TIME_TEXT]);

/*
 * Reads a time of RFC 3339. Ignores decimals after the sixth. The year must be from 1700 to 2200.
 *
 * @unix_us: microseconds since 1970 UTC; unchanged if @text is NULL or no time
 *
 * Returns whether @text is a time.
 */
bool time_parse(const char *text, int64_t *unix_us);

/* Parts of a time for people. */
struct time_parts {
	char day[11]; /* "2026-11-20" */
	char clock[9]; /* "22:35:13" */
	char zone[7]; /* "+00:00" */
};

/*
 * Splits @text, which time_text() has made. Keeps the zone of @text.
 *
 * Returns whether @text has that form. If not, @parts is unchanged.
 */
bool time_split(const char *text, struct time_parts *parts);

#endif
