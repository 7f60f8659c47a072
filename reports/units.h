/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times, durations and sizes as text. Each fills @text and returns it. */
#ifndef STINT_UNITS_H
#define STINT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NS_PER_S INT64_C(1000000000)
#define US_PER_S INT64_C(1000000)

#define TIME_TEXT 48
#define DURATION_TEXT 32
#define SIZE_TEXT 32

/*
 * RFC 3339 with milliseconds and the local zone's offset:
 * "2026-11-20T22:35:13.123+00:00". @unix_ns: since 1970 UTC.
 */
const char *time_text(int64_t unix_ns, char text[TIME_TEXT]);

/*
 * Reads a time as time_text() writes it, with any number of decimals, of which six count, or with 'Z' for the zone; from
 * 1700 to 2200, which nanoseconds can tell too.
 *
 * @unix_us: microseconds since 1970 UTC; untouched when @text is no such time, or NULL
 *
 * Returns whether it is one.
 */
bool time_parse(const char *text, int64_t *unix_us);

/*
 * "HH:MM:SS", from a day on "D-HH:MM:SS"; rounded to the second.
 */
const char *duration_text(double seconds, char text[DURATION_TEXT]);

/*
 * As duration_text(), but short ones as "0.012 s", "1.23 s" and "59.1 s".
 */
const char *short_duration_text(double seconds, char text[DURATION_TEXT]);

/*
 * Binary, one decimal: "5.6 GiB"; whole bytes below 1 KiB: "17 B".
 */
const char *size_text(double bytes, char text[SIZE_TEXT]);

/*
 * As size_text(), for narrow columns: "5.6G", "600M", "17K", "0".
 */
const char *short_size_text(double bytes, char text[SIZE_TEXT]);

#endif
