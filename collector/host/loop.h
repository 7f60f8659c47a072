/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event loop of stintd. At the start each part says what it waits for: a descriptor, a number of seconds, the end of a
 * child. The loop calls it then. Between two pieces of the work of a second it rests, so that other threads get their
 * processor back (stretch.h).
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
	LOOP_URGENT,   /* somebody waits for stintd: it does not rest until the work of this second is done */
};

enum loop_moment {
	LOOP_HURRY,  /* SIGUSR1 came: all work of a second is due at once, whatever its period. This comes before it */
	LOOP_REAPED, /* children have ended, and their parts know it */
	LOOP_ROUND,  /* all that came was handled. This comes last in each round, and at least once a second */
	LOOP_MOMENTS
};

/*
 * Blocks the signals that the loop takes, and makes its descriptors. @c is passed to all that it calls.
 *
 * Returns the loop; NULL with @err set.
 */
struct loop *loop_open(struct collector *c, struct error *err);

/* Has @ready be called when @fd is readable. Returns 0; -1 with @err set. */
int loop_watch(struct loop *loop, int fd, enum loop_urgency urgency, loop_work *ready, struct error *err);

/* Has @work be called every so many @seconds, in the order of these calls. */
void loop_every(struct loop *loop, unsigned int seconds, loop_work *work);

/* Has @ended be asked, in the order of these calls, whose child has ended. The first that says yes is the last asked. */
void loop_children(struct loop *loop, loop_ended *ended);

/* Has @work be called at each such moment, in the order of these calls. */
void loop_at(struct loop *loop, enum loop_moment moment, loop_work *work);

/* Readable when something urgent has come. */
int loop_urgent_fd(const struct loop *loop);

/*
 * With @fast, a round comes every 10 ms, and not only every second, and the work of a second does not rest: a job's last
 * processes are ending, and its epilog waits.
 */
void loop_set_fast(struct loop *loop, bool fast);

/* Runs until SIGTERM or SIGINT comes. */
void loop_run(struct loop *loop);

void loop_close(struct loop *loop);

#endif
