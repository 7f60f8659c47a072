/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides when the store's lines are sealed, and its batches sent: stint-epilog --store does both. A batch is sealed
 * when STORE_MANY lines may be there, when the first of them has waited for store_interval_s, and at stintd's end. If a
 * store does not take batches, retries back off.
 */
#ifndef STINT_STORE_H
#define STINT_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct collector;

#define STORE_MANY 256 /* lines of a batch */

/* What the last run has left. */
struct store_left {
	uint64_t lines, batches, bytes, dropped;
	uint32_t dropped_uid; /* the owner of the lines that this run has dropped last; UINT32_MAX: no user's, or not known */
};

struct store {
	int pid; /* of the run; 0: none */
	int pidfd;
	int why_fd;
	uint64_t started_ns; /* CLOCK_BOOTTIME, like all of these */
	uint64_t new_lines; /* that may have come since the last sealing began */
	uint64_t first_ns; /* when the first of these came; 0: they are sealed at once */
	bool sends; /* the run also sends; otherwise it only seals, and knows nothing about the store */
	uint64_t next_ns; /* no sending before; 0: nothing is known to wait */
	uint64_t not_before_ns; /* no run at all before */
	unsigned int pause_s; /* after the next failure */
	bool known; /* what is left */
	struct store_left left;
	char why[512]; /* why the last failed run failed */
	int64_t failing_since_s; /* CLOCK_REALTIME; 0: the last run had no failure */
	bool drops; /* lines were dropped, and that was logged */
	uint32_t drops_uid; /* for this user last */
};

/* Call once when stintd begins. Sends what an earlier one has left. */
void store_begin(struct collector *c);

/* A record's writer has ended, and may have put a line into the backlog. */
void store_line_came(struct collector *c);

/* Makes the next run due at once, even after a failure: it seals all existing lines, and sends them. */
void store_hurry(struct collector *c);

/* Call once a second. */
void store_tick(struct collector *c);

/* Handles the end of the child @pid, with the wait status @status. Returns whether it was the store's run. */
bool store_ended(struct collector *c, int pid, int status);

/*
 * Call at stintd's end. Seals and sends all lines. Waits for that a few seconds, and then leaves the process running.
 */
void store_end(struct collector *c);

#endif
