/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides when stintd starts a helper: if two records come in ten seconds, and no helper failed in the last minute. */
#ifndef STINT_STANDBY_H
#define STINT_STANDBY_H

#include <stdbool.h>
#include <stdint.h>

/* One for each kind of helper. Initialize it to zero. */
struct standby {
	uint64_t wanted_ns; /* CLOCK_BOOTTIME of the last record; 0: none */
	uint64_t after_ns; /* CLOCK_BOOTTIME of the next start */
};

/* Call for each record. Returns true if a helper should run. @now_ns: CLOCK_BOOTTIME */
bool standby_wanted(struct standby *standby, uint64_t now_ns);

/* Call if a helper has failed. Prevents a start for a minute. @now_ns: CLOCK_BOOTTIME */
void standby_failed(struct standby *standby, uint64_t now_ns);

#endif
