/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a serving stint-epilog while many jobs end: one process that forks a writer for each record. It is linked only
 * once, so a writer needs half the time that it takes to start stint-epilog anew. The writers that it forks are
 * children of stintd, like the writers that stintd starts itself.
 *
 * stintd starts the serving stint-epilog when two records come within some seconds. The serving stint-epilog ends if
 * there is nothing to do, once a minute, if a writer was killed by a signal, or if the program's file has changed. If
 * none runs, or if it cannot answer, stintd starts each writer as a program.
 */
#ifndef STINT_STAYING_H
#define STINT_STAYING_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "collector/host/standby.h"
#include "collector/writer/writer_start.h"

struct staying {
	int fd; /* stintd's end of the socket to the serving stint-epilog, if pid is not 0; -1: it is being ended */
	int pid; /* 0: none runs */
	bool ready; /* the serving stint-epilog has reported that it accepts calls */
	struct standby standby; /* decides if it pays to start a serving stint-epilog */
	dev_t device; /* identifies the program's file when it was started, like the next two members */
	ino_t inode;
	struct timespec changed;
};

/*
 * Asks the serving stint-epilog to fork a writer for the new record at @path. If none runs and if it pays, starts a
 * serving stint-epilog for the next records.
 *
 * @why_fd: the writer writes to it why it failed
 *
 * Returns the writer's pid; -1 if no writer was forked.
 */
int staying_call(struct staying *staying, const struct writer_program *program, const char *path, int why_fd);

/* Handles the end of the child @pid. Returns true if this child was the serving stint-epilog. */
bool staying_ended(struct staying *staying, int pid);

/*
 * Ends the serving stint-epilog, so that another one forks the writers of the next records. Call this when a signal has
 * killed a writer.
 */
void staying_end(struct staying *staying);

#endif
