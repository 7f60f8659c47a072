/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks and reads files, but waits for a file system only as long as a person would.
 * A job's directory may be on a server that is gone, or on a file system that a user runs.
 * Not even SIGKILL ends a wait for such a file system.
 * So a child process, the asker, does the work and sends the results.
 */
#ifndef STINT_REACH_H
#define STINT_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/error.h"

/* The asker, and what is known about its answers. Set it to REACH_NONE before the first use. */
struct reach {
	pid_t asker;   /* 0 if not started */
	int fd;
	size_t silent; /* number of paths without an answer, and of paths that were no longer asked for */
	int64_t late_ns; /* sum of the waits, without the first 0.2 s of each */
	char *first;   /* the first silent path; NULL if there is none, or if out of memory */
};

#define REACH_NONE { .fd = -1 }

/*
 * Checks if the file @path exists.
 * A check waits up to two seconds, or 0.2 s after a check without an answer.
 * After 20 checks without an answer, no more checks are made.
 * While the asker makes progress, a check may wait 30 times as long.
 * Waits beyond 0.2 s are late time. After a minute of late time, each check waits up to 0.2 s.
 *
 * Returns 1 if the file exists.
 * Returns 0 if it does not exist, or if this user may not see it.
 * Returns -1 if the file system does not answer.
 */
int reach_look(struct reach *reach, const char *path);

/* Forgets missing and late answers, so that reach_look() waits as long as at first. */
void reach_anew(struct reach *reach);

/*
 * Makes reach_stat(), reach_open(), reach_glob() and reach_link() send absolute paths to the asker.
 * This lasts until reach_end(), in all threads.
 * Paths below /dev and /proc are not sent, because they may mean files that this process has open.
 */
void reach_guard(struct reach *reach);

/* Returns whether @path would be sent to the asker. */
bool reach_guards(const char *path);

/*
 * Waits with poll() until @fd can be read. Returns what poll() returns.
 * All waits of the guard share one limit on late time. @ms: milliseconds
 */
int reach_wait(int fd, int ms);

/* Returns whether the guard's late time is used up. Each further wait takes at most 0.2 s. */
bool reach_is_late(void);

/* Fills @file like stat(). errno is ETIMEDOUT if the file system does not answer. */
int reach_stat(const char *path, struct stat *file);

/*
 * Opens the plain file @path for reading, and fills @file by stat().
 * For a guarded path, the descriptor is of a copy: the first @most bytes and the last 8 KiB.
 *
 * Returns the descriptor; -1 with @err and errno set.
 * ETIMEDOUT: the file system does not answer.
 */
int reach_open(const char *path, size_t most, struct stat *file, struct error *err);

/* The names that a glob found, for reach_free(). Set it to all zero before the first use. */
struct reach_paths {
	char **list; /* ends with a NULL; may be NULL */
	size_t count;
};

/*
 * Adds the names that glob() finds by @pattern. It is no failure if glob() finds no names.
 *
 * Returns 0; -1 with errno set:
 *   ENOMEM: out of memory
 *   ETIMEDOUT: the file system does not answer
 *   EIO: the directory cannot be searched
 */
int reach_glob(const char *pattern, struct reach_paths *paths);

/*
 * Returns the target of the link @path, which the caller must free.
 * NULL if @path is not a link, or if its file system does not answer.
 */
char *reach_link(const char *path);

void reach_free(struct reach_paths *paths);

/*
 * Returns the CPU time of the process @pid in ns; 0 if unknown.
 * This time does not grow while the process waits for a file system.
 */
int64_t reach_worked_ns(pid_t pid);

/* Ends the guard and the asker. */
void reach_end(struct reach *reach);

#endif
