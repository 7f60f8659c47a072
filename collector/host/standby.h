/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides if it pays to keep a helper child of stintd running, because many jobs end. It pays if two records come
 * within ten seconds, but not within a minute after a helper failed.
 */
#ifndef STINT_STANDBY_H
#define STINT_STANDBY_H

#include <stdbool.h>
#include <stdint.h>

/* The state for one kind of helper: for the running helper and its successors. Initialize to zero. */
struct standby {
	uint64_t wanted_ns; /* CLOCK_BOOTTIME of the last record; 0: no record yet */
	uint64_t after_ns; /* CLOCK_BOOTTIME before which no helper may be started */
};

/*
 * Call for each record, also while a helper runs. @now_ns: CLOCK_BOOTTIME
 *
 * Returns true if a helper should be started, if none runs.
 */
bool standby_wanted(struct standby *standby, uint64_t now_ns);

/*
 * Prevents the start of a helper for a minute, because the last one has failed and the next one would probably fail,
 * too. @now_ns: CLOCK_BOOTTIME
 */
void standby_failed(struct standby *standby, uint64_t now_ns);

#endif
