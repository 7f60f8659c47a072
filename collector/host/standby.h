/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides if it pays to keep a helper child of stintd running, because many jobs end. It pays if two records come
 * within ten seconds, unless a helper failed less than a minute ago.
 */
#ifndef STINT_STANDBY_H
#define STINT_STANDBY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The state for one kind of helper. It stays the same when a helper ends and the next one starts. Initialize it to
 * zero.
 */
struct standby {
	uint64_t wanted_ns; /* CLOCK_BOOTTIME of the last record; 0: no record yet */
	uint64_t after_ns; /* CLOCK_BOOTTIME before which no helper may be started */
};

/*
 * Call for each record, even if a helper is running.
 *
 * @now_ns: CLOCK_BOOTTIME
 *
 * Returns true if the caller should start a helper, unless one is running.
 */
bool standby_wanted(struct standby *standby, uint64_t now_ns);

/*
 * Prevents the start of a helper for a minute, because the last helper has failed and the next one would probably fail,
 * too. @now_ns: CLOCK_BOOTTIME
 */
void standby_failed(struct standby *standby, uint64_t now_ns);

#endif
