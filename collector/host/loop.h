/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the event loop of stintd. Each part of stintd registers what it waits for: a descriptor, a time, or the end of a
 * child.
 *
 * The loop does not keep a CPU from a job for long. After 30 us of work, the loop sleeps for 0.2 ms. Long work is done
 * in pieces (loop_in_pieces()). The functions that the loop calls must not sleep.
 *
 * A round has two phases: it handles what has arrived, and then it ends. Sleeps stop for the rest of a phase if
 * something urgent arrives, if a buffer fills, or after 800 ms.
 */
#ifndef STINT_LOOP_H
#define STINT_LOOP_H

#include <stdbool.h>

#include "common/error.h"

struct collector;
struct loop;

typedef void loop_work(struct collector *c);

/* Returns true if the child @pid belongs to this part of stintd. @status: wait status */
typedef bool loop_ended(struct collector *c, int pid, int status);

enum loop_urgency {
	LOOP_CAN_WAIT, /* users can cause it all the time */
	LOOP_URGENT,   /* a process waits, so the loop does not sleep */
};

enum loop_moment {
	LOOP_HURRY,  /* on SIGUSR1, before all periodic work */
	LOOP_REAPED, /* after the calls for loop_children() */
	LOOP_ROUND,  /* at the end of a round */
	LOOP_MOMENTS
};

/*
 * Makes the loop's descriptors, and blocks its signals. @c: passed to all functions
 * Returns NULL with @err set on failure.
 */
struct loop *loop_open(struct collector *c, struct error *err);

/* Calls @ready when @fd is readable. Returns 0; -1 with @err set. */
int loop_watch(struct loop *loop, int fd, enum loop_urgency urgency, loop_work *ready, struct error *err);

/* Calls @work every @seconds, in the order of registration. */
void loop_every(struct loop *loop, unsigned int seconds, loop_work *work);

/*
 * Calls @ended when a child has ended. Several functions are called in the order of registration, until one returns
 * true.
 */
void loop_children(struct loop *loop, loop_ended *ended);

/* Calls @work each time that @moment comes, in the order of registration. */
void loop_at(struct loop *loop, enum loop_moment moment, loop_work *work);

/* Does about 10 us of work, such as reading the files of one cgroup. Returns true if there is more. */
typedef bool loop_piece(struct collector *c);

/* Calls @piece until the work is done. The loop may sleep in between, but handles no events. */
void loop_in_pieces(struct loop *loop, loop_piece *piece);

/* Calls @full(@data) after each sleep. If the result is true, a buffer fills, and this phase has no more sleeps. */
void loop_empties(struct loop *loop, bool (*full)(const void *data), const void *data);

/*
 * Sets the time of a round: 10 ms with @fast, otherwise a second. With @fast, periodic work does not sleep. For use
 * while an epilog waits for a job's last processes.
 */
void loop_set_fast(struct loop *loop, bool fast);

void loop_run(struct loop *loop);

void loop_close(struct loop *loop);

#endif
