/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs stint-epilog --store, which makes batches of the node's store lines and sends them.
 *
 * Makes a batch of STORE_MANY lines, or after store_interval_s, or when stintd ends.
 * If the store fails, the pauses between retries become longer.
 */
#ifndef STINT_STORE_H
#define STINT_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct collector;

#define STORE_MANY 256 /* lines in a batch */

/* What waits after the last stint-epilog --store. */
struct store_left {
	uint64_t lines, batches, bytes, dropped;
	/* Owner of the lines that were dropped last; UINT32_MAX: several users, or not known. */
	uint32_t dropped_uid;
};

struct store {
	int pid; /* pid of stint-epilog --store; 0: none */
	int pidfd;
	int why_fd;
	uint64_t started_ns; /* CLOCK_BOOTTIME, like all times below unless stated */
	uint64_t new_lines; /* lines since the last batch, at most */
	uint64_t first_ns; /* of the first of them; 0: now */
	bool sends; /* stint-epilog --store sends batches, too */
	uint64_t next_ns; /* for batches; 0: no batch waits */
	uint64_t not_before_ns; /* earliest time for stint-epilog --store */
	unsigned int pause_s; /* wait after the next failure */
	bool known; /* left is valid */
	struct store_left left;
	char why[512]; /* why the last run failed */
	int64_t failing_since_s; /* CLOCK_REALTIME; 0: the store works */
	bool drops; /* the log said that lines were dropped */
	uint32_t drops_uid; /* last user in the log */
};

/* Call once at the start. Plans to send old batches. */
void store_begin(struct collector *c);

/* Call after each writer, which may have added a line. */
void store_line_came(struct collector *c);

/* Makes stint-epilog --store due now for all lines and batches. */
void store_hurry(struct collector *c);

/* Call once a second. */
void store_tick(struct collector *c);

/*
 * Handles the end of the child @pid with the wait status @status. Returns true if the child was stint-epilog --store.
 */
bool store_ended(struct collector *c, int pid, int status);

/*
 * Call when stintd ends. Sends all lines and batches. Waits a few seconds for stint-epilog --store, then leaves it
 * running.
 */
void store_end(struct collector *c);

#endif
