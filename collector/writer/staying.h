/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stint-epilog that stays, where many jobs end: it was linked once, and forks a writer for each record, which takes
 * half of the time of starting one. Its writers are stintd's own children, as those that stintd starts itself.
 *
 * It comes with the second record within some seconds, and goes when there is nothing to do, once a minute, when a
 * writer has died by a signal, and when the program's file is another one. Without it, or while it cannot answer, each
 * writer is started by itself.
 */
#ifndef STINT_STAYING_H
#define STINT_STAYING_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "collector/host/standby.h"
#include "collector/writer/writer_start.h"

struct staying {
	int fd; /* our end of its socket; it has gone, or there was none, where pid is 0 */
	int pid; /* 0: none runs */
	bool ready; /* it has said that it takes calls */
	struct standby standby; /* when it is worth its start */
	dev_t device; /* of the program's file, as it was when it was started */
	ino_t inode;
	struct timespec changed;
};

/*
 * Has the stint-epilog that stays fork a writer for the new record at @path, which writes to @why_fd why it fails.
 * Starts one for the next records where it is worth it.
 *
 * Returns the writer's pid; -1 when none was forked.
 */
int staying_call(struct staying *staying, const struct writer_program *program, const char *path, int why_fd);

/* Handles the end of the child @pid. Returns whether it was the stint-epilog that stays. */
bool staying_ended(struct staying *staying, int pid);

/* Ends it: the next records have another one. To be called when a writer has died by a signal. */
void staying_end(struct staying *staying);

#endif
