/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stintd and stint-epilog's processes share.
 *
 * If one of root's processes works for one user, and no process waits for it any more, its name says so. Its uid does
 * not show the user, so stintd reads the name to count the process as that user's.
 *
 * The serving stint-epilog has a socket of stintd as its standard input. It first sends an answer of 0, which means
 * that it now accepts calls. For each call it forks a writer, which becomes stintd's own child, and it answers with the
 * writer's pid. The writer may become the user itself. If so, the kernel ends the writer after WRITER_USER_MAX_S, and
 * stintd waits for its end only a little longer.
 */
#ifndef STINT_WRITER_PROCESS_H
#define STINT_WRITER_PROCESS_H

#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>

#define WRITER_USER_MAX_S 20 /* the longest wait for the user's file system; after that it counts as hanging */
#define WRITER_USER_HANGS "the job's directory does not answer"
#define WRITER_SIGNALED "stint-epilog was ended by signal %d"

/* A call. It comes with one descriptor, to which the writer writes why it fails. */
struct writer_call {
	uint32_t first; /* 1: this is the first try to deliver the record */
	char record[PATH_MAX]; /* the record's path; bytes after its NUL are not sent */
};

struct writer_answer {
	int32_t pid; /* -1: there is no writer */
};

/* Gives this process a name that says that it works for the user @uid. ps shows the name, too. */
static inline void process_name_for(uint32_t uid)
{
	char name[16];

	snprintf(name, sizeof(name), "for %" PRIu32, uid);
	prctl(PR_SET_NAME, name);
}

/* Returns the user for whom a process with this @name works; 0 if there is none. @name: as /proc shows it. */
static inline uint32_t process_name_user(const char *name)
{
	uint32_t uid;

	return sscanf(name, "for %" SCNu32, &uid) == 1 ? uid : 0;
}

#endif
