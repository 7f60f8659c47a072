/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads times and time spans as people type them on a command line. */
#ifndef STINT_WHEN_H
#define STINT_WHEN_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a time. Forms of @text:
 * - "90m", "2h", "3d" or "1w": that long before @now_us
 * - "now", or "today" or "yesterday" for the beginning of that day
 * - "2026-11-20", "2026-11-20T10:30" or "2026-11-20 10:30:15" in the local time zone
 * - a time with its zone, as stint prints it
 *
 * @now_us, @unix_us: microseconds since 1970
 *
 * Returns false, with @unix_us unchanged, if @text is no time, or before 1970.
 */
bool when_read(const char *text, int64_t now_us, int64_t *unix_us);

/*
 * Reads a time span, such as "90m", "12h", "30d" or "4w"; at most 10,000 weeks.
 *
 * @span_us: microseconds, above 0
 *
 * Returns false, with @span_us unchanged, if @text is no span.
 */
bool when_read_span(const char *text, int64_t *span_us);

/*
 * Read the value of @option ("--since") with when_read() or when_read_span().
 * Print one line and end the program if the value is invalid.
 */
int64_t when_option(const char *option, const char *value, int64_t now_us, const struct argp_state *state);
int64_t when_span_option(const char *option, const char *value, const struct argp_state *state);

#define WHEN_FORMS "such as 2h, 3d, 1w (ago), today, yesterday, 2026-11-20 or 2026-11-20T10:30"

#endif
