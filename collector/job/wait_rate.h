/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides if a job waits too often to be followed (collector/pressure_limit.h). */
#ifndef STINT_WAIT_RATE_H
#define STINT_WAIT_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* A job must be above the limit in this many checks, or once far above it. */
#define WAIT_RATE_LOOKS 5
#define WAIT_RATE_FAR 4 /* times the limit is far above it */
#define WAIT_RATE_RUSH_NS 100000000 /* shortest time for a rate */
#define WAIT_RATE_PASSED_NS 20000000 /* less time on a CPU is ignored */

/* State at the last check. */
struct wait_rate {
	uint64_t waits;
	uint64_t at_ns; /* caller's clock; 0: no check yet */
	uint64_t per_s; /* waits per second at the last check */
	unsigned int over; /* checks above the limit in a row */
};

/*
 * Adds a check. Returns true if the job has waited more than @most times a second for too long.
 *
 * @waits: number of waits until now
 * @now_ns: the time, of any clock
 */
bool wait_rate_note(struct wait_rate *rate, uint64_t waits, uint64_t now_ns, unsigned int most);

/*
 * Checks a job that the kernel programs report between two checks. Returns true if the job was far above the limit
 * since the last check. Always returns false in the first WAIT_RATE_RUSH_NS after the last check.
 */
bool wait_rate_note_rush(struct wait_rate *rate, uint64_t waits, uint64_t now_ns, unsigned int most);

/*
 * Returns in how many ns a job makes PRESSURE_MARK waits if its rate is far above @most waits a second. The kernel
 * programs report a job that is faster (EVENT_RUSH).
 */
uint32_t wait_rate_rush_ns(unsigned int most);

/*
 * Returns how many CPUs a job has really used. @ns: the job's time on each CPU
 *
 * Ignores CPUs with less than WAIT_RATE_PASSED_NS, or less than a hundredth of the busiest CPU's time.
 */
unsigned int wait_rate_cpus(const uint64_t *ns, unsigned int cpus);

#endif
