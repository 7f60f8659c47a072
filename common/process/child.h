/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts programs as children, prepares forked children, and waits for or ends children that may hang. */
#ifndef STINT_CHILD_H
#define STINT_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#define CHILD_KEEPS (-1) /* the child has the same file as this process */
#define CHILD_NULL (-2)  /* the child reads an empty file, and its output is discarded */

/* The child's standard input, output and error. Each is a descriptor of this process, CHILD_KEEPS or CHILD_NULL. */
struct child_files {
	int in, out, error_out;
};

/*
 * Starts a program in the usual way: it inherits no blocked or ignored signals.
 *
 * @arguments: the program's name first, which is searched along PATH if it has no '/'; NULL after the last argument
 * @environment: NULL after the last variable; if the pointer itself is NULL, the environment of this process is used
 *
 * Returns the child's pid; -1 with errno set.
 */
pid_t child_start(const char *const arguments[], char *const environment[], const struct child_files *files);

#define CHILD_NO_PARENT 97 /* the child's exit code if its parent was gone before the child began */

/*
 * Call this first in a forked child that executes no other program. Resets the child's signals, and makes it die with
 * its parent: the next stintd may replace the maps that a child of the former stintd reads. @parent: the parent's pid.
 */
void child_begin(int parent);

/*
 * Waits for a child of this process for at most @wait_ms milliseconds.
 *
 * @status: set to the child's wait status if it has ended
 *
 * Returns whether the child has ended. If no file descriptor is free, it does not wait.
 */
bool child_wait(pid_t pid, int wait_ms, int *status);

/*
 * Kills a child, and waits for its end for at most @wait_ms milliseconds. It may not end: a file system that hangs can
 * keep it in the kernel, and users can freeze the cgroup of their own processes. If the child had already ended,
 * nothing is killed.
 *
 * Returns the child's wait status; -1 if it has not ended, or its state is not known.
 */
int child_end(pid_t pid, int wait_ms);

#endif
