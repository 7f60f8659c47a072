/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads times and time spans as people write them on a command line, for all verbs that take a date. */
#ifndef STINT_WHEN_H
#define STINT_WHEN_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a time: "90m", "2h", "3d", "1w" (that long before @now_us), "now", "today" and "yesterday" (their beginning),
 * "2026-11-20", "2026-11-20T10:30" or "2026-11-20 10:30:15" in the local zone, or a time with a zone as stint prints
 * it. All times are in microseconds since 1970.
 *
 * Returns false if @text is not a time, such as the 31st of February, or is before 1970. Then @unix_us is unchanged.
 */
bool when_read(const char *text, int64_t now_us, int64_t *unix_us);

/*
 * Reads a time span, such as "90m", "12h", "30d" or "4w", of at most 10,000 weeks. @span_us: set to the span in
 * microseconds, which is above 0
 *
 * Returns false, with @span_us unchanged, if @text is not a span.
 */
bool when_read_span(const char *text, int64_t *span_us);

/*
 * Like when_read() and when_read_span(), for the value of @option, such as "--since". If the value is invalid, both
 * functions print one line and end the program.
 */
int64_t when_option(const char *option, const char *value, int64_t now_us, const struct argp_state *state);
int64_t when_span_option(const char *option, const char *value, const struct argp_state *state);

#define WHEN_FORMS "such as 2h, 3d, 1w (ago), today, yesterday, 2026-11-20 or 2026-11-20T10:30"

#endif
