/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The serving stint-epilog, used if many jobs end. It is linked once and forks a writer for each record, which needs
 * half the time of starting a writer as a program. Its writers are children of stintd, like the writers that stintd
 * starts itself.
 *
 * stintd starts it with the second record within some seconds. It ends if there is nothing to do, once a minute, if a
 * writer was killed by a signal, or if the program's file has changed. If none runs, or if it cannot answer, stintd
 * starts each writer as a program.
 */
#ifndef STINT_STAYING_H
#define STINT_STAYING_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "collector/host/standby.h"
#include "collector/writer/writer_start.h"

struct staying {
	int fd; /* stintd's end of its socket, if pid is not 0; -1: it is being ended */
	int pid; /* 0: none runs */
	bool ready; /* it has reported that it accepts calls */
	struct standby standby; /* decides when it pays to start one */
	dev_t device; /* this and the next two members: of the program's file when it was started */
	ino_t inode;
	struct timespec changed;
};

/*
 * Asks the serving stint-epilog to fork a writer for the new record at @path. If the writer fails, it writes the reason
 * to @why_fd. If none runs and it pays, starts one for the next records.
 *
 * Returns the writer's pid; -1 if none was forked.
 */
int staying_call(struct staying *staying, const struct writer_program *program, const char *path, int why_fd);

/* Handles the end of the child @pid. Returns true if this child was the serving stint-epilog. */
bool staying_ended(struct staying *staying, int pid);

/* Ends the serving stint-epilog, so the next records get another one. Call it when a writer was killed by a signal. */
void staying_end(struct staying *staying);

#endif
