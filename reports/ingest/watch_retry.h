/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a process that stays does when its work fails: it says so in one line, waits longer after each failure, and says when the
 * failure is over.
 */
#ifndef STINT_WATCH_RETRY_H
#define STINT_WATCH_RETRY_H

#include <time.h>

#include "common/error.h"

#define WATCH_RETRY_LEAST_S 1
#define WATCH_RETRY_MOST_S 60

/* Starts as all zero. */
struct watch_retry {
	int pause_s;       /* the last pause; 0: nothing fails */
	time_t since;      /* of the first failure */
	struct error said; /* the last reason that was printed */
};

/*
 * Notes a failure. Prints the reason on standard error the first time; and, when the pauses have reached the longest one, each
 * reason that is another than the one before: a server that starts again gives several in a row.
 *
 * @who: "stint ingest": begins the line
 *
 * Returns how many seconds to wait before the next try.
 */
int watch_retry_failed(struct watch_retry *retry, const char *who, const struct error *reason);

/* Notes a success. Prints a line if there was a failure before. */
void watch_retry_worked(struct watch_retry *retry, const char *who);

#endif
