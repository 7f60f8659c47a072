/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures how often a job waits, and decides if that is too often to follow the job as a whole
 * (collector/pressure_limit.h).
 */
#ifndef STINT_WAIT_RATE_H
#define STINT_WAIT_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define WAIT_RATE_LOOKS 5 /* a job must be above the limit at this many checks in a row; one check is enough if it is far above */
#define WAIT_RATE_FAR 4 /* this many times the limit is far above it */
#define WAIT_RATE_RUSH_NS 100000000 /* the shortest time over which a rate is measured; a shorter rush does no harm */
#define WAIT_RATE_PASSED_NS 20000000 /* a CPU on which the job ran for less than this does not count */

/* How often a job had waited at the last check. */
struct wait_rate {
	uint64_t waits;
	uint64_t at_ns; /* time of the last check, by the caller's clock; 0: none yet */
	uint64_t per_s; /* waits per second between the last two checks */
	unsigned int over; /* checks in a row at which the job was above the limit */
};

/*
 * Adds a check: the job had waited @waits times at @now_ns. Any clock will do, if it is always the same. Returns true
 * if the job has waited more than @most times a second for long enough.
 */
bool wait_rate_note(struct wait_rate *rate, uint64_t waits, uint64_t now_ns, unsigned int most);

/*
 * Like wait_rate_note(), between two regular checks, for a job that the kernel programs report as waiting very often
 * now. Returns true if the job has been far above the limit since the last check. Returns false if the last check was
 * less than WAIT_RATE_RUSH_NS ago. wait_rate_note() finds lower rates.
 */
bool wait_rate_note_rush(struct wait_rate *rate, uint64_t waits, uint64_t now_ns, unsigned int most);

/*
 * Returns how many ns a job needs for PRESSURE_MARK waits if it is just far above the limit of @most waits a second.
 * The kernel programs report a job that needs less (EVENT_RUSH).
 */
uint32_t wait_rate_rush_ns(unsigned int most);

/*
 * Returns how many CPUs a job has really used. @ns: the job's time on each of @cpus CPUs. A CPU does not count if the
 * job used it for less than WAIT_RATE_PASSED_NS, for example during its start, or for less than one hundredth of the
 * time on its busiest CPU.
 */
unsigned int wait_rate_cpus(const uint64_t *ns, unsigned int cpus);

#endif
