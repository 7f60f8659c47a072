/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The serving stint-epilog, used if many jobs end: it is linked once, and forks a writer for each record, which takes
 * half the time of starting one. Its writers are stintd's own children, like those that stintd starts itself.
 *
 * It comes with the second record within some seconds. It goes if there is nothing to do, once a minute, when a writer
 * has died by a signal, and when the program's file has changed. Without it, or while it cannot answer, each writer is
 * started as a program.
 */
#ifndef STINT_STAYING_H
#define STINT_STAYING_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "collector/host/standby.h"
#include "collector/writer/writer_start.h"

struct staying {
	int fd; /* our end of its socket; pid is 0 if it has gone, or there was none */
	int pid; /* 0: none runs */
	bool ready; /* it has said that it accepts calls */
	struct standby standby; /* when it pays to start it */
	dev_t device; /* of the program's file when it was started */
	ino_t inode;
	struct timespec changed;
};

/*
 * Asks the serving stint-epilog to fork a writer for the new record at @path, which writes to @why_fd why it fails.
 * Starts one for the next records if that pays.
 *
 * Returns the writer's pid; -1 if none was forked.
 */
int staying_call(struct staying *staying, const struct writer_program *program, const char *path, int why_fd);

/* Handles the end of the child @pid. Returns whether it was the serving stint-epilog. */
bool staying_ended(struct staying *staying, int pid);

/* Ends it: the next records get another one. Call it when a writer has died by a signal. */
void staying_end(struct staying *staying);

#endif
