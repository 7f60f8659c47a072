/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stintd knows about stint-epilog's processes.
 *
 * If one of root's processes works for one user, and no process waits for it any more, its name says so. So stintd can count it
 * as that user's: its uid does not show its user.
 *
 * The serving stint-epilog has a socket of stintd's as its standard input. It first sends an answer of 0: now it accepts calls.
 * For each call it forks a writer, stintd's own child, and answers with the writer's pid. The writer may become the user itself.
 * Then the kernel ends it after WRITER_USER_MAX_S, and stintd waits for its end only a little longer.
 */
#ifndef STINT_WRITER_PROCESS_H
#define STINT_WRITER_PROCESS_H

#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>

#define WRITER_USER_MAX_S 20 /* for the user's file system; after that it counts as hanging */
#define WRITER_USER_HANGS "the job's directory does not answer"
#define WRITER_SIGNALED "stint-epilog was ended by signal %d"

/* Comes with one descriptor, to which the writer writes why it fails. */
struct writer_call {
	uint32_t first; /* this is the first try to deliver the record */
	char record[PATH_MAX]; /* its path; bytes after the NUL are not sent */
};

struct writer_answer {
	int32_t pid; /* -1: there is no writer */
};

/* Names this process as one that works for the user @uid. ps shows the name, too. */
static inline void process_name_for(uint32_t uid)
{
	char name[16];

	snprintf(name, sizeof(name), "for %" PRIu32, uid);
	prctl(PR_SET_NAME, name);
}

/* Returns the user that a process of this name works for; 0: no user. @name: as /proc shows it */
static inline uint32_t process_name_user(const char *name)
{
	uint32_t uid;

	return sscanf(name, "for %" SCNu32, &uid) == 1 ? uid : 0;
}

#endif
