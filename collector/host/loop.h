/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event loop of stintd. At the start each part registers what it waits for: a descriptor, a number of seconds, or
 * the end of a child. The loop then calls the part when this happens.
 *
 * The loop does not occupy a processor for long with work for which no process waits. After each piece of such work,
 * the loop checks how long it has had the processor. After 30 us, the loop sleeps for 0.2 ms, so that the thread that
 * it has displaced can continue. Only the loop sleeps: the functions that it calls never do, and long work is cut into
 * pieces (loop_in_pieces()).
 *
 * In a round, the loop calls the functions for everything that has come at one time. Then it calls the functions for
 * the end of a round. In each of these two phases, the loop makes no more pauses once something urgent has come, a
 * buffer that stintd must empty fills, or 800 ms have passed. Otherwise the pauses could delay urgent work on a node
 * with very many threads and jobs.
 */
#ifndef STINT_LOOP_H
#define STINT_LOOP_H

#include <stdbool.h>

#include "common/error.h"

struct collector;
struct loop;

/* A function that the loop calls. */
typedef void loop_work(struct collector *c);

/* Returns true if the child @pid belongs to this part. The child has ended with the wait status @status. */
typedef bool loop_ended(struct collector *c, int pid, int status);

enum loop_urgency {
	LOOP_CAN_WAIT, /* users can make the descriptor readable as often as they like */
	LOOP_URGENT,   /* another process waits for stintd: the loop does not sleep until the event is handled */
};

enum loop_moment {
	LOOP_HURRY,  /* SIGUSR1 came: before all periodic work is done at once, whatever its period */
	LOOP_REAPED, /* children have ended, and their parts have been told */
	LOOP_ROUND,  /* at the end of each round, at least once a second: everything that came was handled */
	LOOP_MOMENTS
};

/*
 * Blocks the signals that the loop handles, and makes the loop's descriptors. @c: passed to all functions that the loop
 * calls
 *
 * Returns the loop; NULL with @err set.
 */
struct loop *loop_open(struct collector *c, struct error *err);

/* Calls @ready when @fd is readable. Returns 0; -1 with @err set. */
int loop_watch(struct loop *loop, int fd, enum loop_urgency urgency, loop_work *ready, struct error *err);

/* Calls @work every @seconds. If several are due, calls them in the order of registration. */
void loop_every(struct loop *loop, unsigned int seconds, loop_work *work);

/*
 * When a child has ended, asks @ended if the child belongs to this part. Asks the parts in the order of registration,
 * and stops at the first that returns true.
 */
void loop_children(struct loop *loop, loop_ended *ended);

/* Calls @work at each such moment. Calls several in the order of registration. */
void loop_at(struct loop *loop, enum loop_moment moment, loop_work *work);

/*
 * Does the next piece of long work: about 10 us of processor time, such as reading the files of one cgroup. Returns
 * true if there is more to do.
 */
typedef bool loop_piece(struct collector *c);

/*
 * Calls @piece until the work is done. Between two pieces the loop may sleep, but it calls nothing else. So the state
 * of stintd does not change between the first piece and the last.
 */
void loop_in_pieces(struct loop *loop, loop_piece *piece);

/* Ends the sleeps of a round if @full(@data) says that a buffer fills that this process must empty. */
void loop_empties(struct loop *loop, bool (*full)(const void *data), const void *data);

/*
 * With @fast, a round comes every 10 ms instead of every second, and periodic work does not sleep. Use it while the
 * last processes of a job are ending, because the job's epilog waits.
 */
void loop_set_fast(struct loop *loop, bool fast);

/* Runs the loop until SIGTERM or SIGINT comes. */
void loop_run(struct loop *loop);

void loop_close(struct loop *loop);

#endif
