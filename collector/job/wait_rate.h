/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures how often a job waits, and decides if the job waits too often to be followed as a whole
 * (collector/pressure_limit.h).
 */
#ifndef STINT_WAIT_RATE_H
#define STINT_WAIT_RATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How many checks in a row must find the job above the limit; if the job is far above the limit, one check is enough.
 */
#define WAIT_RATE_LOOKS 5
#define WAIT_RATE_FAR 4 /* a job is far above the limit if it waits this many times as often as the limit allows */
#define WAIT_RATE_RUSH_NS 100000000 /* the shortest time over which a rate is measured; many waits in a shorter time do no harm */
#define WAIT_RATE_PASSED_NS 20000000 /* a CPU is ignored if the job ran on it for less than this */

/* How often a job had waited at the last check. */
struct wait_rate {
	uint64_t waits;
	uint64_t at_ns; /* time of the last check, by the caller's clock; 0: none yet */
	uint64_t per_s; /* waits per second between the last two checks */
	unsigned int over; /* number of checks in a row that found the job above the limit */
};

/*
 * Adds a check, which found that the job had waited @waits times up to @now_ns. The caller may use any clock, but
 * always the same one. Returns true if the job has waited more than @most times a second for long enough.
 */
bool wait_rate_note(struct wait_rate *rate, uint64_t waits, uint64_t now_ns, unsigned int most);

/*
 * Works like wait_rate_note(), but between two regular checks, because the kernel programs report that the job waits
 * very often now. Returns true if the job has been far above the limit since the last check. Returns false if the last
 * check was less than WAIT_RATE_RUSH_NS ago. wait_rate_note() finds jobs that are less far above the limit.
 */
bool wait_rate_note_rush(struct wait_rate *rate, uint64_t waits, uint64_t now_ns, unsigned int most);

/*
 * Returns the time in ns in which a job begins PRESSURE_MARK waits if it is just far above the limit of @most waits a
 * second. The kernel programs report a job that begins so many waits in less time (EVENT_RUSH).
 */
uint32_t wait_rate_rush_ns(unsigned int most);

/*
 * Returns how many CPUs a job has really used. @ns: the job's time on each of @cpus CPUs. Ignores a CPU if the job used
 * it for less than WAIT_RATE_PASSED_NS, for example only during its start. Also ignores a CPU if the job used it for
 * less than one hundredth of the time on its busiest CPU.
 */
unsigned int wait_rate_cpus(const uint64_t *ns, unsigned int cpus);

#endif
