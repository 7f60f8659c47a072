/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a serving stint-epilog, which forks a writer for each record. So dynamic linking is done only once, which saves
 * half of the time for the start of a writer. The writers are children of stintd.
 *
 * stintd starts the serving stint-epilog when two records come within some seconds. The serving stint-epilog ends when
 * idle, after a minute, after a signal killed a writer, or if its file changed. Without it, stintd starts each writer
 * as a program.
 */
#ifndef STINT_STAYING_H
#define STINT_STAYING_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "collector/host/standby.h"
#include "collector/writer/writer_start.h"

struct staying {
	int fd; /* socket, if pid is not 0; -1: ending */
	int pid; /* 0: none runs */
	bool ready; /* the serving stint-epilog accepts calls */
	struct standby standby; /* decides when to start the serving stint-epilog */
	dev_t device; /* of the program's file, like the next two */
	ino_t inode;
	struct timespec changed;
};

/*
 * Asks the serving stint-epilog to fork a writer for the record at @path. If none runs, may start one for later
 * records.
 *
 * @why_fd: the writer writes here why it failed
 *
 * Returns the writer's pid; -1 if no writer was forked.
 */
int staying_call(struct staying *staying, const struct writer_program *program, const char *path, int why_fd);

/* Handles the end of the child @pid. Returns true if the child was the serving stint-epilog. */
bool staying_ended(struct staying *staying, int pid);

/* Ends the serving stint-epilog. Call after a signal has killed a writer. */
void staying_end(struct staying *staying);

#endif
