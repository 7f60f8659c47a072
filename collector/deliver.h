/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivers records from the spool: decides which record gets a writer, and which must wait.
 *
 * A writer runs as the job's user, so the user can block the writer by stopping it, or with a file system that hangs.
 * Therefore each user has a share of the places. The share shrinks if fewer places are free, and the user with the
 * fewest writers comes first.
 *
 * Some other processes also count for their user: those that stay blocked after they were killed (in a file system that
 * hangs, or in a frozen cgroup), those that wait for other nodes' parts, and those that wait until slurmdbd knows the
 * user's job.
 */
#ifndef STINT_DELIVER_H
#define STINT_DELIVER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/writer/staying.h"
#include "common/error.h"

struct collector;
struct delivery;

#define DELIVER_PLACES 32 /* the most writers at a time */
#define DELIVER_WAITING 1024 /* the most records that wait here for a place; further records wait in the spool */
#define DELIVER_STRAYS 256 /* the most strays: users' processes that outlived their stint-epilog */
#define DELIVER_USERS 64 /* the most users whose strays are counted */

struct stray {
	uint32_t uid;
	int count;
};

struct deliveries {
	struct delivery *first;
	int running, waiting;
	bool spool_changed; /* true if the spool has changed since the status file was written */
	struct stray strays[DELIVER_USERS];
	int stray_users, all_strays;
	uint64_t busy_logged_ns; /* CLOCK_BOOTTIME when the log last said that reports wait; 0: never */
	int status_waiting, status_strays; /* as last written to the status file */
	struct staying staying;
};

/* Call once. Makes processes that a child leaves behind children of stintd, so that stintd can count them. */
void deliver_begin(void);

/*
 * Returns true if a user with @his of @places may have one more, when all users together have @taken. A user may have
 * at most a quarter of the places, and no more than are free.
 */
bool deliver_has_share(int his, int taken, int places);

/*
 * Adds the record @name to the records to deliver. The record is in the spool, and belongs to the job @job_id of @uid.
 * Starts a writer as soon as there is a place. When the writer ends, answers and closes @reply_fd (-1: no process
 * waits).
 */
void deliver_add(struct collector *c, const char *name, uint32_t job_id, uint32_t uid, int reply_fd);

/* Returns true if the record @name waits here or has a writer. */
bool deliver_has(const struct collector *c, const char *name);

/*
 * Returns the uid of the user as whom the process @pid runs. For a process of root, returns the user for whom it works
 * (common/process/writer_process.h). Returns 0 if there is no such user or process.
 */
uint32_t deliver_user_of(int pid);

/* Returns true if so many processes of @uid are blocked that this user gets no more writers. */
bool deliver_is_held_up(const struct collector *c, uint32_t uid);

/* Starts as many writers as there are free places. */
void deliver_start(struct collector *c);

/*
 * Handles the end of the child @pid, with the wait status @status. Returns true if deliver_start() started this child.
 */
bool deliver_ended(struct collector *c, int pid, int status);

/*
 * Call once a second. Kills writers that take too long, and frees their places even if they do not end. Counts blocked
 * processes. Logs if reports wait.
 */
void deliver_tick(struct collector *c);

/* Returns how to start writers. The result is valid as long as @c. */
struct writer_program deliver_program(const struct collector *c);

struct deliver_failure {
	char whose[512]; /* the job, its user and directory, in words; empty: the writer did not know them */
	char why[512];
};

/* Reads from @why_fd the writer's reason for its failure, and closes @why_fd. @status: the writer's wait status */
void deliver_why(int why_fd, int status, struct deliver_failure *failure);

#endif
