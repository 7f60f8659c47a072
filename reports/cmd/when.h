/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moments as people write them on a command line. */
#ifndef STINT_WHEN_H
#define STINT_WHEN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a moment: "90m", "2h", "3d", "1w" (so long before @now_s), "now", "today" and "yesterday" (their begin),
 * "2026-11-20", "2026-11-20T10:30" or "2026-11-20 10:30:15", in the local zone.
 *
 * Returns false when it is none, or lies before 1970. @unix_s: set in seconds since 1970
 */
bool when_read(const char *text, int64_t now_s, int64_t *unix_s);

#define WHEN_FORMS "such as 2h, 3d, 1w (ago), today, yesterday, 2026-11-20 or 2026-11-20T10:30"

#endif
