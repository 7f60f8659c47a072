/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines what stintd and the processes of stint-epilog share.
 *
 * If a process of root works for one user, and no process waits for it any more, the name of the process says for
 * which user it works. stintd reads that name, and counts the process as one of that user, because its uid does not
 * show the user.
 *
 * The serving stint-epilog has a socket of stintd as its standard input. First it sends an answer of 0, which means
 * that it now accepts calls. For each call it forks a writer, which becomes a child of stintd itself, and it answers
 * with the writer's pid. The writer may take on the uid of the user. If it does, the kernel ends the writer after
 * WRITER_USER_MAX_S, and stintd waits only a little longer for the writer's end.
 */
#ifndef STINT_WRITER_PROCESS_H
#define STINT_WRITER_PROCESS_H

#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>

#define WRITER_USER_MAX_S 20 /* the longest wait in seconds for the user's file system; after that, it counts as hanging */
#define WRITER_USER_HANGS "the job's directory does not answer"
#define WRITER_SIGNALED "stint-epilog was ended by signal %d"

/* A call. One descriptor comes with the call. If the writer fails, it writes the reason to that descriptor. */
struct writer_call {
	uint32_t first; /* 1: this is the first try to deliver the record */
	char record[PATH_MAX]; /* the record's path; bytes after its NUL are not sent */
};

struct writer_answer {
	int32_t pid; /* -1: there is no writer */
};

/* Gives this process a name that says for which user @uid it works. ps also shows the name. */
static inline void process_name_for(uint32_t uid)
{
	char name[16];

	snprintf(name, sizeof(name), "for %" PRIu32, uid);
	prctl(PR_SET_NAME, name);
}

/* Returns the uid of the user for whom a process called @name works; 0 if @name names no user. @name comes from /proc. */
static inline uint32_t process_name_user(const char *name)
{
	uint32_t uid;

	return sscanf(name, "for %" SCNu32, &uid) == 1 ? uid : 0;
}

#endif
