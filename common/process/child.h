/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts programs as children, and prepares forked children. Waits for children, or ends them, even if they hang. */
#ifndef STINT_CHILD_H
#define STINT_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#define CHILD_KEEPS (-1) /* the child uses the same file as this process */
#define CHILD_NULL (-2)  /* the child reads an empty file, and its output is discarded */

/* The files of the child's standard input, output and error. Each is a descriptor of this process, CHILD_KEEPS or CHILD_NULL. */
struct child_files {
	int in, out, error_out;
};

/*
 * Starts a program. The program starts with no blocked signals, and SIGPIPE is not ignored.
 *
 * @arguments: first the program's name, which is searched along PATH if it has no '/'; NULL after the last argument
 * @environment: the variables, with NULL after the last one; if @environment is NULL, the program gets the
 * environment of this process
 * @files: the program's standard files
 *
 * Returns the child's pid; -1 with errno set.
 */
pid_t child_start(const char *const arguments[], char *const environment[], const struct child_files *files);

#define CHILD_NO_PARENT 97 /* exit code of a child whose parent had already ended when the child called child_begin() */

/*
 * Call this first in a forked child that executes no other program. Resets the child's signals, and makes the child
 * die with its parent, because the next stintd may replace the maps that this child reads. @parent: the parent's pid.
 */
void child_begin(int parent);

/*
 * Waits for a child of this process for at most @wait_ms milliseconds. Does not wait if no file descriptor is free.
 *
 * @status: set to the child's wait status if the child has ended
 *
 * Returns whether the child has ended.
 */
bool child_wait(pid_t pid, int wait_ms, int *status);

/*
 * Kills a child, and waits at most @wait_ms milliseconds until it has ended. A killed child may not end: a file
 * system that hangs can keep it in the kernel, and users can freeze the cgroup of their own processes. If the child
 * has already ended, only collects its status.
 *
 * Returns the child's wait status; -1 if the child has not ended, or its state is not known.
 */
int child_end(pid_t pid, int wait_ms);

#endif
