/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the event loop of stintd. When stintd starts, each part of it registers what it waits for: a descriptor, a
 * number of seconds, or the end of a child. The loop calls the part when this happens.
 *
 * The loop does not occupy a CPU for long with work that no process waits for. Such work is done in pieces. After each
 * piece, the loop checks how long it has had the CPU. After 30 us, the loop sleeps for 0.2 ms, so that the thread that
 * it has displaced can continue. Only the loop sleeps: the functions that it calls never do, and long work is cut into
 * pieces (loop_in_pieces()).
 *
 * In a round, the loop first calls the functions for everything that has arrived. Then it calls the functions for the
 * end of a round. In each of these two phases, the loop stops sleeping if something urgent arrives, if a buffer that
 * stintd must empty fills, or after 800 ms. Otherwise the sleeps could delay urgent work on a node with very many
 * threads and jobs.
 */
#ifndef STINT_LOOP_H
#define STINT_LOOP_H

#include <stdbool.h>

#include "common/error.h"

struct collector;
struct loop;

/* A function that the loop calls. */
typedef void loop_work(struct collector *c);

/* Returns true if the child @pid belongs to this part of stintd. The child has ended with the wait status @status. */
typedef bool loop_ended(struct collector *c, int pid, int status);

enum loop_urgency {
	LOOP_CAN_WAIT, /* the event can wait, because users can make the descriptor readable as often as they like */
	LOOP_URGENT,   /* another process waits for stintd, so the loop does not sleep until the event is handled */
};

enum loop_moment {
	LOOP_HURRY,  /* SIGUSR1 came: called before the loop does all periodic work at once, even if it is not due */
	LOOP_REAPED, /* called after children have ended, and after the functions of loop_children() were called for them */
	LOOP_ROUND,  /* called at the end of each round, at least once a second, after everything that arrived was handled */
	LOOP_MOMENTS
};

/*
 * Blocks the signals that the loop handles, and makes the loop's descriptors.
 *
 * @c: passed to all functions that the loop calls
 *
 * Returns the loop; NULL with @err set.
 */
struct loop *loop_open(struct collector *c, struct error *err);

/* Calls @ready when @fd is readable. Returns 0; -1 with @err set. */
int loop_watch(struct loop *loop, int fd, enum loop_urgency urgency, loop_work *ready, struct error *err);

/* Calls @work every @seconds. If several functions are due, calls them in the order of registration. */
void loop_every(struct loop *loop, unsigned int seconds, loop_work *work);

/*
 * Registers @ended, which the loop calls when a child has ended. The loop calls the registered functions in the order
 * of registration until one returns true, because the child belongs to its part.
 */
void loop_children(struct loop *loop, loop_ended *ended);

/* Calls @work at each such moment. Calls several functions in the order of registration. */
void loop_at(struct loop *loop, enum loop_moment moment, loop_work *work);

/*
 * Does the next piece of long work, about 10 us of CPU time. One piece is, for example, to read the files of one
 * cgroup. Returns true if there is more to do.
 */
typedef bool loop_piece(struct collector *c);

/*
 * Calls @piece until the work is done. The loop may sleep between two pieces, but it calls no other function. So the
 * state of stintd does not change between the first piece and the last.
 */
void loop_in_pieces(struct loop *loop, loop_piece *piece);

/*
 * Makes the loop call @full(@data). If it returns true, a buffer that this process must empty is filling, so the loop
 * does not sleep any more in this round.
 */
void loop_empties(struct loop *loop, bool (*full)(const void *data), const void *data);

/*
 * Sets how often a round comes: every 10 ms if @fast is true, otherwise every second. With @fast, periodic work does
 * not sleep. Use @fast while the last processes of a job are ending, because the job's epilog waits.
 */
void loop_set_fast(struct loop *loop, bool fast);

/* Runs the loop until SIGTERM or SIGINT comes. */
void loop_run(struct loop *loop);

void loop_close(struct loop *loop);

#endif
