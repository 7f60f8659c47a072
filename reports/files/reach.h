/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at and reads files, and waits for an answer only as long as a person would. The directories of jobs may be on a
 * file system whose server is gone, or on one that a user runs. Another process does the work and hands over the
 * result: a process that waits for such a file system cannot even be killed.
 */
#ifndef STINT_REACH_H
#define STINT_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/error.h"

/* Begins as REACH_NONE. */
struct reach {
	pid_t asker;   /* the process that looks for us, so that we need not wait for the file system; 0: not started yet */
	int fd;        /* socket to the asker */
	size_t silent; /* paths that got no answer, or that were not asked for any more */
	int64_t late_ns; /* sum of the waits' time beyond a moment each */
	char *first;   /* the first silent path; NULL: there is none, or out of memory */
};

#define REACH_NONE { .fd = -1 }

/*
 * Checks whether the file @path exists. The first look may take two seconds. After a look that got no answer, each may
 * take 0.2 s. After many such looks, nothing is looked at any more. A look may take 30 times as long while the asker
 * makes progress, as in a directory of very many names. All lateness together is limited to a minute; after that, each
 * look may take 0.2 s.
 *
 * Returns 1: it exists; 0: it does not exist, or we may not see it; -1: the file system does not answer.
 */
int reach_look(struct reach *reach, const char *path);

/* Forgets earlier silent and late answers, so that file systems are waited for again. */
void reach_anew(struct reach *reach);

/*
 * From now on, reach_stat(), reach_open(), reach_glob() and reach_link() ask for absolute paths by @reach, from any
 * thread, until reach_end(). Paths below /dev and /proc stand for files that this process has open, and are never asked
 * for.
 */
void reach_guard(struct reach *reach);

/* Whether @path is asked for in that way. */
bool reach_guards(const char *path);

/* Waits, as poll() does, until @fd can be read, for at most @ms; the wait counts with the guard's other waits. */
int reach_wait(int fd, int ms);

/* Whether the guard's waits have used up their time: late answers are no longer waited for. */
bool reach_is_late(void);

/* As stat(); errno is ETIMEDOUT if the file system does not answer. */
int reach_stat(const char *path, struct stat *file);

/*
 * Opens the plain file @path for reading, and fills @file by stat(). While the path is guarded, the descriptor is of a
 * copy: the file's first @most bytes, and its last ones.
 *
 * Returns the descriptor; -1 with @err and errno set, ETIMEDOUT as above.
 */
int reach_open(const char *path, size_t most, struct stat *file, struct error *err);

/* The names that a glob found; free with reach_free(). Begins as all zero. */
struct reach_paths {
	char **list; /* ended by NULL if there are any */
	size_t count;
};

/*
 * Adds to @paths the names that glob() finds by @pattern; finding none is not a failure. Returns 0; -1 with errno set:
 * ENOMEM, ETIMEDOUT as above, EIO if it cannot be searched.
 */
int reach_glob(const char *pattern, struct reach_paths *paths);

/* Returns the target of the link @path, to be freed; NULL: it is not a link, or its file system does not answer. */
char *reach_link(const char *path);

void reach_free(struct reach_paths *paths);

/* Returns the CPU time that the process @pid has used; it does not grow while the process waits for a file system. 0: not known. */
int64_t reach_worked_ns(pid_t pid);

/* Ends what reach_look() and reach_guard() started. */
void reach_end(struct reach *reach);

#endif
