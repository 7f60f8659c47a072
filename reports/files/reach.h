/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at and reads files, and waits for the answer no longer than a person would: the directories of jobs may be on a
 * file system whose server is gone, or that is a user's own. Another process does it and hands over what it read: who waits
 * for such a file system cannot even be killed.
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
	pid_t asker;   /* looks in our place, so that we need not wait for it; 0: there is none yet */
	int fd;        /* to it */
	size_t silent; /* paths for which there was no answer, or of which none was waited for any more */
	int64_t late_ns; /* what all waits together took beyond a moment each */
	char *first;   /* one of them; NULL: there is none, or no memory */
};

#define REACH_NONE { .fd = -1 }

/*
 * Looks whether there is a file @path. The first look may take two seconds, one after a silent one 0.2 s; behind many
 * silent ones nothing is looked at. Where something is done meanwhile, as in a directory of very many names, it may take 30
 * times as long; but all that is late together, a minute: then 0.2 s are the most.
 *
 * Returns 1: it is there; 0: it is not, or nobody lets us see it; -1: the file system does not answer.
 */
int reach_look(struct reach *reach, const char *path);

/* Has what was silent or late before be waited for again. */
void reach_anew(struct reach *reach);

/*
 * From now on reach_stat(), reach_open(), reach_glob() and reach_link() ask for absolute paths by @reach, from whatever thread, until
 * reach_end(). Those below /dev and /proc stand for what this process has open, and are never asked for.
 */
void reach_guard(struct reach *reach);

/* Whether that is so of @path. */
bool reach_guards(const char *path);

/* Waits, as poll() does, until @fd can be read, for @ms at most; it counts with the guard's other waits. */
int reach_wait(int fd, int ms);

/* Whether these have taken all the time that they may: what is late now is no longer waited for. */
bool reach_is_late(void);

/* As stat(); where the file system does not answer, errno is ETIMEDOUT. */
int reach_stat(const char *path, struct stat *file);

/*
 * Opens the plain file @path to be read, whose stat() goes into @file. While its path is guarded, what is opened is a
 * copy: of the file's first @most bytes, and of its last ones.
 *
 * Returns the descriptor; -1 with @err and errno set, ETIMEDOUT as above.
 */
int reach_open(const char *path, size_t most, struct stat *file, struct error *err);

/* The names that a glob has found; to be freed by reach_free(). Begins as all zero. */
struct reach_paths {
	char **list; /* ended by NULL, once there are some */
	size_t count;
};

/*
 * Adds to @paths what glob() finds by @pattern; nothing is no failure. Returns 0; -1 with errno set: ENOMEM, ETIMEDOUT as
 * above, EIO where it cannot be searched.
 */
int reach_glob(const char *pattern, struct reach_paths *paths);

/* Returns where the link @path leads, to be freed; NULL: it is no link, or its file system does not answer. */
char *reach_link(const char *path);

void reach_free(struct reach_paths *paths);

/* Returns the CPU time that the process @pid has had: who waits for a file system has no more of it. 0: it is not known. */
int64_t reach_worked_ns(pid_t pid);

/* Ends what reach_look() and reach_guard() have begun. */
void reach_end(struct reach *reach);

#endif
