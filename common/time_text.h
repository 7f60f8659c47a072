/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as text: RFC 3339. All code that writes or reads this form is here. */
#ifndef STINT_TIME_TEXT_H
#define STINT_TIME_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_S INT64_C(1000000000)
#define US_PER_S INT64_C(1000000)

#define TIME_TEXT 48

/*
 * Writes a time in RFC 3339, with milliseconds and the local zone's offset: "2026-11-20T22:35:13.123+00:00". @unix_ns:
 * since 1970 UTC.
 */
const char *time_text(int64_t unix_ns, char text[TIME_TEXT]);

/*
 * Reads a time in the form of time_text(), with any number of decimals (six count), or with 'Z' for the zone. The years
 * are 1700 to 2200, which nanoseconds in 64 bits can also express.
 *
 * @unix_us: microseconds since 1970 UTC; untouched if @text is no such time, or NULL
 *
 * Returns whether it is one.
 */
bool time_parse(const char *text, int64_t *unix_us);

/* A time in the parts in which people read it, with their NULs. */
struct time_parts {
	char day[11]; /* "2026-11-20" */
	char clock[9]; /* "22:35:13" */
	char zone[7]; /* "+00:00" */
};

/*
 * Splits a text of time_text(), in its own zone. Returns whether it is one; @parts is untouched if it is not, or NULL.
 */
bool time_split(const char *text, struct time_parts *parts);

#endif
