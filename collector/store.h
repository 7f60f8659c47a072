/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides when stint-epilog --store seals the store's lines into a batch, and when it sends batches. A batch is sealed
 * if STORE_MANY lines may be there, if the first of them has waited for store_interval_s, or when stintd ends. If a
 * store does not accept batches, retries back off.
 */
#ifndef STINT_STORE_H
#define STINT_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct collector;

#define STORE_MANY 256 /* lines in a batch */

/* What is left after the last run. */
struct store_left {
	uint64_t lines, batches, bytes, dropped;
	uint32_t dropped_uid; /* the owner of the lines that this run dropped last; UINT32_MAX: no user, or not known */
};

struct store {
	int pid; /* pid of the run; 0: none */
	int pidfd;
	int why_fd;
	uint64_t started_ns; /* CLOCK_BOOTTIME when the run started; all times here are CLOCK_BOOTTIME if not stated otherwise */
	uint64_t new_lines; /* the number of lines that may have come since the last sealing began */
	uint64_t first_ns; /* when the first of these lines came; 0: seal them at once */
	bool sends; /* the run also sends; otherwise it only seals, and its end tells nothing about the store */
	uint64_t next_ns; /* do not send before this; 0: nothing is known to wait */
	uint64_t not_before_ns; /* start no run before this */
	unsigned int pause_s; /* the pause after the next failure */
	bool known; /* what is left */
	struct store_left left;
	char why[512]; /* why the last failed run has failed */
	int64_t failing_since_s; /* CLOCK_REALTIME; 0: the store does not fail */
	bool drops; /* the log has said that lines were dropped */
	uint32_t drops_uid; /* the user whom the log named last */
};

/* Call once when stintd starts. Plans to send the batches of an earlier stintd. */
void store_begin(struct collector *c);

/* Call when a record's writer has ended: it may have added a line to the backlog. */
void store_line_came(struct collector *c);

/* Makes the next run due at once, even after a failure. The run seals all existing lines and sends them. */
void store_hurry(struct collector *c);

/* Call once a second. */
void store_tick(struct collector *c);

/*
 * Handles the end of the child @pid, with the wait status @status. Returns true if this child was a run of the store.
 */
bool store_ended(struct collector *c, int pid, int status);

/*
 * Call when stintd ends. Seals and sends all lines. Waits a few seconds for this, and then leaves the process running.
 */
void store_end(struct collector *c);

#endif
