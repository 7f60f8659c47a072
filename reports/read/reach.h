/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks whether files are there, and waits for the answer no longer than a person would: the directories of jobs may be
 * on a file system whose server is gone, or that is a user's own.
 */
#ifndef STINT_REACH_H
#define STINT_REACH_H

#include <stddef.h>
#include <sys/types.h>

/* Begins as REACH_NONE. */
struct reach {
	pid_t asker;   /* looks in our place, so that we need not wait for it; 0: there is none yet */
	int fd;        /* to it */
	size_t silent; /* paths for which there was no answer, or of which none was waited for any more */
	char *first;   /* one of them; NULL: there is none, or no memory */
};

#define REACH_NONE { .fd = -1 }

/*
 * Looks whether there is a file @path. The first look may take two seconds, one after a silent one 0.2 s; behind many
 * silent ones nothing is looked at.
 *
 * Returns 1: it is there; 0: it is not, or nobody lets us see it; -1: the file system does not answer.
 */
int reach_look(struct reach *reach, const char *path);

/* Ends what reach_look() has begun. */
void reach_end(struct reach *reach);

#endif
