/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a child of stintd that stays, where many jobs end, is worth its start: with the second record within ten seconds,
 * and not within a minute after one that failed.
 */
#ifndef STINT_STANDBY_H
#define STINT_STANDBY_H

#include <stdbool.h>
#include <stdint.h>

/* Of one such child, and of those that come after it; all zero to begin with. */
struct standby {
	uint64_t wanted_ns; /* CLOCK_BOOTTIME when a record last came; 0: never */
	uint64_t after_ns; /* CLOCK_BOOTTIME; none is started before */
};

/*
 * To be called for each record that comes, also while such a child runs. @now_ns: CLOCK_BOOTTIME
 *
 * Returns whether one is worth its start, if none runs.
 */
bool standby_wanted(struct standby *standby, uint64_t now_ns);

/* Has no other one started for a minute, since the child has failed: the next one is likely to fail as well. */
void standby_failed(struct standby *standby, uint64_t now_ns);

#endif
