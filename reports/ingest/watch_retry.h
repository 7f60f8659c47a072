/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says what a process that runs forever does when its work fails. It prints one line, waits longer after each
 * failure, and prints another line when the work succeeds again.
 */
#ifndef STINT_WATCH_RETRY_H
#define STINT_WATCH_RETRY_H

#include <time.h>

#include "common/error.h"

#define WATCH_RETRY_LEAST_S 1
#define WATCH_RETRY_MOST_S 60

/* Starts as all zero. */
struct watch_retry {
	int pause_s;       /* the last pause; 0 if the last try succeeded */
	time_t since;      /* of the first failure */
	struct error said; /* the reason that was printed last */
};

/*
 * Notes a failure. Prints the reason on standard error for the first failure. After that, prints a reason only if
 * it differs from the last printed one and the pauses have reached their maximum, because a server that restarts
 * gives several reasons in a row.
 *
 * @who: begins the line, such as "stint ingest"
 *
 * Returns how many seconds to wait before the next try.
 */
int watch_retry_failed(struct watch_retry *retry, const char *who, const struct error *reason);

/* Notes a success. If the last try failed, prints that the work succeeds again. */
void watch_retry_worked(struct watch_retry *retry, const char *who);

#endif
