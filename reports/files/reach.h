/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks and reads files, but waits for a file system only as long as a person would. The directories of jobs may be on
 * a file system whose server is gone, or on a file system that a user runs. A process that waits for such a file system
 * cannot even be killed. So a child process, called the asker, does the work and sends the results.
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
	pid_t asker;   /* the process that does the work, so that this process need not wait for the file system; 0 if not
		        * started yet */
	int fd;        /* socket to the asker */
	size_t silent; /* how many paths got no answer, or were not asked for because earlier paths got none */
	int64_t late_ns; /* the sum of the waits, without the first 0.2 s of each wait */
	char *first;   /* the first silent path; NULL if there is none, or if out of memory */
};

#define REACH_NONE { .fd = -1 }

/*
 * Checks if the file @path exists. A check waits for up to two seconds, or for up to 0.2 s if an earlier check got no
 * answer. After 20 checks without an answer, no more checks are made. While the asker makes progress, as in a directory
 * of very many names, a check may wait 30 times as long. Waits beyond 0.2 s count as late time. When all late time
 * together has reached a minute, each further check waits for up to 0.2 s.
 *
 * Returns 1 if the file exists. Returns 0 if it does not exist, or if this user may not see it. Returns -1 if the file
 * system does not answer.
 */
int reach_look(struct reach *reach, const char *path);

/* Forgets which answers were missing or late, so that reach_look() waits as long as at first. */
void reach_anew(struct reach *reach);

/*
 * Makes reach_stat(), reach_open(), reach_glob() and reach_link() send absolute paths to the asker of @reach, until
 * reach_end(). This applies to all threads. Paths below /dev and /proc are not sent, because they stand for files that
 * this process has open. So this process opens them itself.
 */
void reach_guard(struct reach *reach);

/* Returns true if the functions that reach_guard() names now send @path to the asker. */
bool reach_guards(const char *path);

/*
 * Waits until @fd can be read, for at most @ms milliseconds. Returns the same as poll(). This wait and the other waits
 * of the guard share one limit on late time.
 */
int reach_wait(int fd, int ms);

/* Returns true if the waits of the guard have used up their limit on late time. Each later wait takes 0.2 s at most. */
bool reach_is_late(void);

/* Like stat(), but errno is ETIMEDOUT if the file system does not answer. */
int reach_stat(const char *path, struct stat *file);

/*
 * Opens the plain file @path for reading, and fills @file by stat(). If the path is guarded, the descriptor is of a
 * copy. The copy has only the first @most bytes and the last 8 KiB of the file.
 *
 * Returns the descriptor; -1 with @err and errno set. errno is ETIMEDOUT if the file system does not answer.
 */
int reach_open(const char *path, size_t most, struct stat *file, struct error *err);

/* The names that a glob found; free them with reach_free(). Set it to all zero before the first use. */
struct reach_paths {
	char **list; /* the names, with a NULL at the end if there are any */
	size_t count;
};

/*
 * Adds to @paths the names that glob() finds by @pattern. It is not a failure if there are none. Returns 0. On failure
 * returns -1 with errno ENOMEM, ETIMEDOUT if the file system does not answer, or EIO if the directory cannot be
 * searched.
 */
int reach_glob(const char *pattern, struct reach_paths *paths);

/*
 * Returns the target of the link @path, which the caller must free. Returns NULL if @path is not a link, or if its file
 * system does not answer.
 */
char *reach_link(const char *path);

void reach_free(struct reach_paths *paths);

/*
 * Returns the CPU time in ns that the process @pid has used; 0 if not known. The CPU time does not grow while the
 * process waits for a file system.
 */
int64_t reach_worked_ns(pid_t pid);

/* Ends the guard, and the asker that reach_look() or reach_guard() started. */
void reach_end(struct reach *reach);

#endif
