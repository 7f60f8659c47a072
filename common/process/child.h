/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts programs, and waits for children or ends them, even if they hang. */
#ifndef STINT_CHILD_H
#define STINT_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#define CHILD_KEEPS (-1) /* the file of this process */
#define CHILD_NULL (-2)  /* empty input, no output */

/* A descriptor, CHILD_KEEPS or CHILD_NULL. */
struct child_files {
	int in, out, error_out;
};

/*
 * Starts a program. No signal is blocked, and SIGPIPE is not ignored.
 *
 * @arguments: the program's name, searched along PATH if it has no '/'; NULL after the last argument
 * @environment: NULL after the last variable; if NULL, the environment of this process
 * @files: the program's standard files
 *
 * Returns the child's pid; -1 with errno set.
 */
pid_t child_start(const char *const arguments[], char *const environment[], const struct child_files *files);

#define CHILD_NO_PARENT 97 /* the parent ended before child_begin() */

/*
 * Call this first in a forked child that executes no program. Resets signals.
 * Makes the child die with its parent.
 *
 * @parent: the parent's pid
 */
void child_begin(int parent);

/*
 * Waits at most @wait_ms milliseconds for a child. Does not wait if no descriptor is free.
 *
 * @status: set to the wait status of a child that has ended
 *
 * Returns whether the child has ended.
 */
bool child_wait(pid_t pid, int wait_ms, int *status);

/*
 * Kills a child, and waits at most @wait_ms milliseconds for its end.
 * A killed child does not end while a file system hangs, or while the user has frozen the cgroup.
 *
 * Returns the wait status; -1 if the child has not ended, or its state is not known.
 */
int child_end(pid_t pid, int wait_ms);

#endif
