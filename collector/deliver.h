/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the spool to the writer: which records are being delivered, which wait for a place, and which comes next.
 *
 * A writer runs as the job's user, who can block it by stopping it, or by a file system that hangs. So each user has a
 * share of the places, which shrinks as fewer are free, and the user with the fewest comes first. Some other processes
 * also count for the user: those blocked even after they were killed (in a file system that hangs, in a frozen cgroup),
 * those that wait for other nodes' parts, and those that wait for slurmdbd to know the user's job.
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

#define DELIVER_PLACES 32 /* writers at a time */
#define DELIVER_WAITING 1024 /* records that wait for a place; any others wait in the spool */
#define DELIVER_STRAYS 256 /* users' processes that outlived their stint-epilog */
#define DELIVER_USERS 64 /* whose strays are counted */

struct stray {
	uint32_t uid;
	int count;
};

struct deliveries {
	struct delivery *first;
	int running, waiting;
	bool spool_changed; /* since the status file was written */
	struct stray strays[DELIVER_USERS];
	int stray_users, all_strays;
	uint64_t busy_logged_ns; /* CLOCK_BOOTTIME when the log last said that reports wait; 0: never */
	int status_waiting, status_strays; /* as the status file has them */
	struct staying staying;
};

/* Call once. Processes that a child leaves behind become children of stintd, so that it can count them. */
void deliver_begin(void);

/*
 * Whether a user who holds @his of @places may have one more, if all users hold @taken: a user has at most a quarter of
 * them, and no more than are free.
 */
bool deliver_has_share(int his, int taken, int places);

/*
 * Takes over the record @name, which is in the spool, of the job @job_id of @uid. Starts a writer for it as soon as
 * there is a place. When that ends, answers and closes @reply_fd (-1: no process waits).
 */
void deliver_add(struct collector *c, const char *name, uint32_t job_id, uint32_t uid, int reply_fd);

/* Whether the record @name waits here, or has a writer. */
bool deliver_has(const struct collector *c, const char *name);

/*
 * The user whom the process @pid runs as, or, if that is root, works for (common/process/writer_process.h). 0: no user,
 * or there is no such process.
 */
uint32_t deliver_user_of(int pid);

/* Whether so many processes of @uid are blocked that no more writers are started for this user. */
bool deliver_is_held_up(const struct collector *c, uint32_t uid);

/* Starts as many writers as there are places for. */
void deliver_start(struct collector *c);

/* Handles the end of the child @pid, with the wait status @status. Returns whether it was a writer started here. */
bool deliver_ended(struct collector *c, int pid, int status);

/*
 * Call once a second. Kills writers that take too long, and gives away their places even if they do not end then.
 * Counts blocked processes, and logs if reports wait.
 */
void deliver_tick(struct collector *c);

/* How to start writers. Valid as long as @c. */
struct writer_program deliver_program(const struct collector *c);

struct deliver_failure {
	char whose[512]; /* the job, its user and directory, in words; empty: the writer did not know */
	char why[512];
};

/* Reads from @why_fd the writer's reason for its failure; @status is its wait status. Closes @why_fd. */
void deliver_why(int why_fd, int status, struct deliver_failure *failure);

#endif
