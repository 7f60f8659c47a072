/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides when to run stint-epilog --store, which puts the store lines of this node into a batch and sends batches. The
 * lines are put into a batch if there may be STORE_MANY of them, if the first one has waited for store_interval_s, or
 * when stintd ends. If a store does not accept batches, retries back off.
 */
#ifndef STINT_STORE_H
#define STINT_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct collector;

#define STORE_MANY 256 /* lines in a batch */

/* What waits for the store after the last stint-epilog --store has ended. */
struct store_left {
	uint64_t lines, batches, bytes, dropped;
	/* Owner of the lines that stint-epilog --store dropped last; UINT32_MAX: no single user, or not known. */
	uint32_t dropped_uid;
};

struct store {
	int pid; /* pid of stint-epilog --store; 0: it is not running */
	int pidfd;
	int why_fd;
	uint64_t started_ns; /* when it started; this time and all times below are CLOCK_BOOTTIME unless stated otherwise */
	uint64_t new_lines; /* how many lines may have been added since stintd last began to make a batch */
	uint64_t first_ns; /* when the first of these lines came; 0: put them into a batch at once */
	bool sends; /* it sends batches; otherwise it only makes a batch, so its end does not show if the store works */
	uint64_t next_ns; /* time before which no batch is sent; 0: no batch is known to wait */
	uint64_t not_before_ns; /* time before which stint-epilog --store is not started */
	unsigned int pause_s; /* how long to wait after the next failure */
	bool known; /* what is left */
	struct store_left left;
	char why[512]; /* why stint-epilog --store failed the last time */
	int64_t failing_since_s; /* CLOCK_REALTIME of the first failure since the store last worked; 0: the store works */
	bool drops; /* the log has said that lines were dropped */
	uint32_t drops_uid; /* the user that the log named last */
};

/* Call once when stintd starts. Plans to send the batches that the former stintd left. */
void store_begin(struct collector *c);

/* Call when the writer of a record has ended, because it may have added a line to the backlog. */
void store_line_came(struct collector *c);

/*
 * Makes the next start of stint-epilog --store due at once, even after a failure. It then puts all lines into a batch
 * and sends all batches.
 */
void store_hurry(struct collector *c);

/* Call once a second. */
void store_tick(struct collector *c);

/*
 * Handles the end of the child @pid, with the wait status @status. Returns true if this child was stint-epilog --store.
 */
bool store_ended(struct collector *c, int pid, int status);

/*
 * Call when stintd ends. Starts stint-epilog --store to put all lines into a batch and to send all batches. Waits a few
 * seconds for its end, and then leaves the process running.
 */
void store_end(struct collector *c);

#endif
