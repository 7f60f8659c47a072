/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event loop of stintd. At the start each part says what it waits for: a descriptor, a number of seconds, the
 * end of a child. The loop calls it then.
 *
 * The loop does not occupy a processor for long with work that no process waits for. After each piece of such work
 * it checks how long it has had the processor. After 30 us it sleeps for 0.2 ms, so that the thread that it has
 * displaced can continue. Only the loop sleeps: the functions that it calls never do, and long work is cut into
 * pieces (loop_in_pieces()).
 *
 * In a round, the loop calls functions for everything that has come at one time, and then those for the end of a
 * round. In each of the two it stops sleeping once something urgent comes, or a buffer fills that stintd must empty,
 * or 800 ms have passed: a node can have more threads and jobs than there is time for.
 */
#ifndef STINT_LOOP_H
#define STINT_LOOP_H

#include <stdbool.h>

#include "common/error.h"

struct collector;
struct loop;

/* What the loop calls. */
typedef void loop_work(struct collector *c);

/* Returns whether the child @pid, which has ended with the wait status @status, was this part's. */
typedef bool loop_ended(struct collector *c, int pid, int status);

enum loop_urgency {
	LOOP_CAN_WAIT, /* users can make it readable as often as they like */
	LOOP_URGENT,   /* another process waits for stintd: it does not sleep until that is handled */
};

enum loop_moment {
	LOOP_HURRY,  /* SIGUSR1 came: all work of a second is due at once, whatever its period. This comes before it */
	LOOP_REAPED, /* children have ended, and their parts know it */
	LOOP_ROUND,  /* all that came was handled. This comes last in each round, and at least once a second */
	LOOP_MOMENTS
};

/*
 * Blocks the signals that the loop handles, and makes its descriptors. @c is passed to all functions that it calls.
 *
 * Returns the loop; NULL with @err set.
 */
struct loop *loop_open(struct collector *c, struct error *err);

/* Calls @ready when @fd is readable. Returns 0; -1 with @err set. */
int loop_watch(struct loop *loop, int fd, enum loop_urgency urgency, loop_work *ready, struct error *err);

/* Calls @work every @seconds, in the order of these calls. */
void loop_every(struct loop *loop, unsigned int seconds, loop_work *work);

/*
 * When a child has ended, asks @ended whether it was this part's, in the order of these calls. Stops at the first that
 * says yes.
 */
void loop_children(struct loop *loop, loop_ended *ended);

/* Calls @work at each such moment, in the order of these calls. */
void loop_at(struct loop *loop, enum loop_moment moment, loop_work *work);

/*
 * Does the next piece of a long work: what a processor does in some 10 us, such as reading one cgroup's files. Returns
 * whether there is more.
 */
typedef bool loop_piece(struct collector *c);

/*
 * Calls @piece until that work is done. Between two pieces the loop may sleep, but calls nothing else: whatever is true
 * for the first piece is true for the last one.
 */
void loop_in_pieces(struct loop *loop, loop_piece *piece);

/* Ends sleeps when @full(@data) says that a buffer fills that this process must empty. */
void loop_empties(struct loop *loop, bool (*full)(const void *data), const void *data);

/*
 * With @fast, a round comes every 10 ms instead of every second, and the work of a second does not sleep: a job's last
 * processes are ending, and its epilog waits.
 */
void loop_set_fast(struct loop *loop, bool fast);

/* Runs until SIGTERM or SIGINT comes. */
void loop_run(struct loop *loop);

void loop_close(struct loop *loop);

#endif
