/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often a job waits, and whether that is too often to follow it as a whole (collector/pressure_limit.h). */
#ifndef STINT_WAIT_RATE_H
#define STINT_WAIT_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define WAIT_RATE_LOOKS 5 /* looks in a row that must find a job above the limit; one is enough if it is far above */
#define WAIT_RATE_FAR 4 /* a job at this many times the limit is far above it */
#define WAIT_RATE_RUSH_NS 100000000 /* the shortest time over which a rate is measured: a shorter rush does no harm */
#define WAIT_RATE_PASSED_NS 20000000 /* a thread with less total time on a CPU merely passed there */

/* How often a job had waited at the last look. */
struct wait_rate {
	uint64_t waits;
	uint64_t at_ns; /* 0: not looked at yet */
	uint64_t per_s; /* between the last look and the one before */
	unsigned int over; /* looks in a row that found it above the limit */
};

/*
 * Notes that a job had waited @waits times at @now_ns (of any clock, but always the same one). Returns whether the job
 * has waited more than @most times a second for long enough.
 */
bool wait_rate_note(struct wait_rate *rate, uint64_t waits, uint64_t now_ns, unsigned int most);

/*
 * The same between two regular looks, for a job that waits very often now, according to the kernel programs. Returns
 * whether it has been far above the limit since the last look, at least WAIT_RATE_RUSH_NS ago. wait_rate_note() finds
 * lower rates.
 */
bool wait_rate_note_rush(struct wait_rate *rate, uint64_t waits, uint64_t now_ns, unsigned int most);

/*
 * Returns the time in ns that PRESSURE_MARK waits take a job that is just far above the limit of @most waits a second.
 * The kernel programs report a job that takes less (EVENT_RUSH).
 */
uint32_t wait_rate_rush_ns(unsigned int most);

/*
 * Returns how many CPUs a job has really used. @ns: its time on each of @cpus CPUs. A CPU does not count if it was used
 * for less than WAIT_RATE_PASSED_NS, such as during the start, or for less than a hundredth of the time on the busiest
 * one.
 */
unsigned int wait_rate_cpus(const uint64_t *ns, unsigned int cpus);

#endif
