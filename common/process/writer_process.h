/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines what stintd and the processes of stint-epilog share.
 *
 * A process of root that works for a user has the user in its name. stintd counts this process as the user's.
 *
 * stintd starts one stint-epilog that serves calls. The standard input of this process is a socket to stintd.
 * Its first answer, 0, says that it accepts calls. For each call, it forks a writer as a child of stintd, and answers
 * with the writer's pid.
 *
 * The kernel ends a writer with the user's uid after WRITER_USER_MAX_S.
 */
#ifndef STINT_WRITER_PROCESS_H
#define STINT_WRITER_PROCESS_H

#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>

#define WRITER_USER_MAX_S 20 /* seconds; then the file system counts as hanging */
#define WRITER_USER_HANGS "the job's directory does not answer"
#define WRITER_SIGNALED "stint-epilog was ended by signal %d"

/* A call. A file descriptor comes with it. If the writer fails, it writes the reason to this descriptor. */
struct writer_call {
	uint32_t first;
	char record[PATH_MAX]; /* path; bytes after its NUL are not sent */
};

struct writer_answer {
	int32_t pid; /* -1: there is no writer */
};

/* Names this process after the user for whom it works. */
static inline void process_name_for(uint32_t uid)
{
	char name[16];

	snprintf(name, sizeof(name), "for %" PRIu32, uid);
	prctl(PR_SET_NAME, name);
}

/* Returns 0 if @name names no user. @name is from /proc. */
static inline uint32_t process_name_user(const char *name)
{
	uint32_t uid;

	return sscanf(name, "for %" SCNu32, &uid) == 1 ? uid : 0;
}

#endif
