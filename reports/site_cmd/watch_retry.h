/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a process that runs forever does when its work fails: prints one line, waits longer after each failure, and
 * prints one more line when the work succeeds again.
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
 * Prints the first reason. Prints a different reason only when the pauses have reached their maximum, because a server
 * that restarts gives several reasons.
 *
 * @who: begins the line, such as "stint ingest"
 *
 * Returns how many seconds to wait.
 */
int watch_retry_failed(struct watch_retry *retry, const char *who, const struct error *reason);

/* If the last try failed, prints that the work succeeds again. */
void watch_retry_worked(struct watch_retry *retry, const char *who);

#endif
