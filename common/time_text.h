/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes and reads times as text, in the form of RFC 3339. No other code does this. */
#ifndef STINT_TIME_TEXT_H
#define STINT_TIME_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_S INT64_C(1000000000)
#define US_PER_S INT64_C(1000000)

#define TIME_TEXT 48

/*
 * Writes a time to @text in the form of RFC 3339, with milliseconds and the local zone's offset:
 * "2026-11-20T22:35:13.123+00:00". @unix_ns: nanoseconds since 1970 UTC. Returns @text.
 */
const char *time_text(int64_t unix_ns, char text[TIME_TEXT]);

/*
 * Reads a time in the form of time_text(). The time may have any number of decimals, but only six are used. It may
 * have 'Z' as its zone. The year must be from 1700 to 2200, because nanoseconds in 64 bits can also express all these
 * years.
 *
 * @unix_us: set to microseconds since 1970 UTC; unchanged if @text is NULL or no such time
 *
 * Returns whether @text is such a time.
 */
bool time_parse(const char *text, int64_t *unix_us);

/* The parts of a time as people read it. Each part ends in a NUL. */
struct time_parts {
	char day[11]; /* "2026-11-20" */
	char clock[9]; /* "22:35:13" */
	char zone[7]; /* "+00:00" */
};

/*
 * Splits @text, which time_text() has made, into its parts. The parts are in the time zone that @text itself names.
 * Returns whether @text has that form. If it does not, or if it is NULL, leaves @parts unchanged.
 */
bool time_split(const char *text, struct time_parts *parts);

#endif
