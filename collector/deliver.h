/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivers records from the spool. Each record needs a writer: a stint-epilog process that adds the record to the
 * report. This file decides which record gets a writer now, and which record must wait.
 *
 * A writer runs as the job's user, so the user can block the writer by stopping it, or with a file system that hangs.
 * Therefore each user may take only a share of the places for writers. A user's share shrinks if fewer places are free.
 * The user with the fewest writers comes first.
 *
 * Three kinds of other processes also count for their user: those that stay blocked after they were killed (in a file
 * system that hangs, or in a frozen cgroup), those that wait for the parts of other nodes, and those that wait until
 * slurmdbd knows the user's job.
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

#define DELIVER_PLACES 32 /* the most writers that run at a time */
#define DELIVER_WAITING 1024 /* the most records that wait here for a writer; further records wait in the spool */
/* If there are so many strays (processes of users that outlived their stint-epilog), no user gets a new writer. */
#define DELIVER_STRAYS 256
#define DELIVER_USERS 64 /* the most users whose strays are counted separately */

struct stray {
	uint32_t uid;
	int count;
};

struct deliveries {
	struct delivery *first;
	int running, waiting;
	bool spool_changed; /* the spool has changed since the status file was written */
	struct stray strays[DELIVER_USERS];
	int stray_users, all_strays;
	uint64_t busy_logged_ns; /* CLOCK_BOOTTIME when the last line of the log said that reports wait; 0: never */
	int status_waiting, status_strays; /* as last written to the status file */
	struct staying staying;
};

/* Call once. Makes the orphans of stintd's children children of stintd, so that stintd can count them. */
void deliver_begin(void);

/*
 * Returns true if a user who has @his of the @places may have one more, while all users together have @taken. A user
 * may have at most a quarter of the places, and at most as many as are free.
 */
bool deliver_has_share(int his, int taken, int places);

/*
 * Adds the record @name, which is in the spool, to the records that wait for a writer. The record belongs to the job
 * @job_id of @uid. deliver_start() starts the writer when a place is free.
 *
 * @reply_fd: answered and closed when the writer ends; -1: no process waits
 */
void deliver_add(struct collector *c, const char *name, uint32_t job_id, uint32_t uid, int reply_fd);

/* Returns true if the record @name waits for a writer or has one. */
bool deliver_has(const struct collector *c, const char *name);

/*
 * Returns the uid of the user that the process @pid runs as. If the process runs as root, returns the uid of the user
 * that it works for (common/process/writer_process.h). Returns 0 if there is no such user or no such process.
 */
uint32_t deliver_user_of(int pid);

/* Returns true if @uid gets no more writers, because too many processes of @uid, or of all users, are blocked. */
bool deliver_is_held_up(const struct collector *c, uint32_t uid);

/* Starts writers for waiting records until no place is free, or no waiting record may have one. */
void deliver_start(struct collector *c);

/*
 * Handles the end of the child @pid, with the wait status @status. Returns true if deliver_start() started this child.
 */
bool deliver_ended(struct collector *c, int pid, int status);

/*
 * Call once a second. Kills writers that take too long, and frees their places even if these writers do not end. Counts
 * blocked processes. Logs a line if reports have to wait.
 */
void deliver_tick(struct collector *c);

/* Returns how to start writers. The result points into @c, so it is valid only as long as @c. */
struct writer_program deliver_program(const struct collector *c);

struct deliver_failure {
	char whose[512]; /* the job with its user and directory, as text for the log; empty: the writer did not know the job */
	char why[512];
};

/* Reads from @why_fd why the writer failed, and closes @why_fd. @status: the writer's wait status */
void deliver_why(int why_fd, int status, struct deliver_failure *failure);

#endif
