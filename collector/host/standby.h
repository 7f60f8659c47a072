/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When it pays to keep a helper child of stintd running because many jobs end: from the second record within ten
 * seconds on, and not within a minute after one that failed.
 */
#ifndef STINT_STANDBY_H
#define STINT_STANDBY_H

#include <stdbool.h>
#include <stdint.h>

/* For one kind of helper: the running one and its successors; all zero to begin with. */
struct standby {
	uint64_t wanted_ns; /* CLOCK_BOOTTIME when a record last came; 0: never */
	uint64_t after_ns; /* CLOCK_BOOTTIME; start none before */
};

/*
 * Call for each record that comes, also while such a child runs. @now_ns: CLOCK_BOOTTIME
 *
 * Returns whether to start one, if none runs.
 */
bool standby_wanted(struct standby *standby, uint64_t now_ns);

/* Starts no other one for a minute, because the child has failed: the next one is likely to fail as well. */
void standby_failed(struct standby *standby, uint64_t now_ns);

#endif
