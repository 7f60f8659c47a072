/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children: how to start a program, what a forked child does first, and how to wait for, or end, a child that may hang.
 */
#ifndef STINT_CHILD_H
#define STINT_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#define CHILD_KEEPS (-1) /* the child's is the same as ours */
#define CHILD_NULL (-2)  /* the child's is empty, and its output is discarded */

/* What the child has as its standard input, output and error: a descriptor of ours, CHILD_KEEPS or CHILD_NULL. */
struct child_files {
	int in, out, error_out;
};

/*
 * Starts a program as any other would start it: it inherits no blocked or ignored signals.
 *
 * @arguments: its name first, which is searched along PATH if it has no '/'; NULL after the last
 * @environment: NULL after the last; or NULL: ours
 *
 * Returns its pid; -1 with errno set.
 */
pid_t child_start(const char *const arguments[], char *const environment[], const struct child_files *files);

#define CHILD_NO_PARENT 97 /* its exit code if its parent was gone before it began */

/*
 * Call first in a forked child that runs no other program. Resets its signals, and makes it die with its parent: the
 * next stintd may replace the maps that a child of the former one reads. @parent: the parent's pid
 */
void child_begin(int parent);

/*
 * Waits for a child of ours for at most @wait_ms milliseconds.
 *
 * @status: set to its wait status if it has ended
 *
 * Returns whether it has ended. If no descriptor is free, it does not wait.
 */
bool child_wait(pid_t pid, int wait_ms, int *status);

/*
 * Kills a child, and waits for its end for at most @wait_ms: a file system that hangs can keep it in the kernel, and a
 * user can freeze the cgroup of their own process. If it had ended before, nothing is killed.
 *
 * Returns its wait status; -1: it has not ended, or its state is not known.
 */
int child_end(pid_t pid, int wait_ms);

#endif
