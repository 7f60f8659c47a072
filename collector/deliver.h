/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivers records from the spool: decides which record gets a writer now. A writer is a stint-epilog process that adds
 * one record to its report.
 *
 * A user can block a writer, by a signal or a hanging file system. So each user gets only a share of the places for
 * writers. The user with the fewest writers comes first.
 *
 * A user with too many blocked processes (strays) gets no more writers. Processes that wait for other nodes or for
 * slurmdbd are strays, too.
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
#define DELIVER_WAITING 1024 /* records in the queue; more records wait in the spool only */
/*
 * If there are this many strays, no user gets a new writer. A stray is a user's process that outlived its stint-epilog.
 */
#define DELIVER_STRAYS 256
#define DELIVER_USERS 64 /* users whose strays are counted separately */

struct stray {
	uint32_t uid;
	int count;
};

struct deliveries {
	struct delivery *first;
	int running, waiting;
	bool spool_changed; /* since the last status file */
	struct stray strays[DELIVER_USERS];
	int stray_users, all_strays;
	uint64_t busy_logged_ns; /* CLOCK_BOOTTIME of the last log line; 0: none */
	int status_waiting, status_strays; /* counts in the status file */
	struct staying staying;
};

/* Call once. Orphans of stintd's children become children of stintd, which counts them. */
void deliver_begin(void);

/*
 * Returns true if a user may take one more of @places places. A user may have a quarter of all places. If few places
 * are free, he may have only as many as are free.
 *
 * @his: places that the user has
 * @taken: places that all users have
 */
bool deliver_has_share(int his, int taken, int places);

/*
 * Queues the spooled record @name for a writer. deliver_start() starts the writer.
 *
 * @reply_fd: answered and closed when the writer ends; -1: no process waits
 */
void deliver_add(struct collector *c, const char *name, uint32_t job_id, uint32_t uid, int reply_fd);

/* Returns true if the record @name waits for a writer or has one. */
bool deliver_has(const struct collector *c, const char *name);

/* Returns the uid of the user for whom @pid runs (common/process/writer_process.h); 0 if there is none. */
uint32_t deliver_user_of(int pid);

/* Returns true if there are too many strays, so @uid gets no more writers. */
bool deliver_is_held_up(const struct collector *c, uint32_t uid);

/* Starts writers for waiting records, as the free places and the users' shares allow. */
void deliver_start(struct collector *c);

/* Handles the end of the child @pid with the wait status @status. Returns true if the child was a writer. */
bool deliver_ended(struct collector *c, int pid, int status);

/* Call once a second. Kills slow writers, counts strays, and logs if reports wait. */
void deliver_tick(struct collector *c);

/* Returns how to start writers. The result is valid as long as @c. */
struct writer_program deliver_program(const struct collector *c);

struct deliver_failure {
	char whose[512]; /* job, user, directory; empty: not known */
	char why[512];
};

/* Reads from @why_fd why the writer failed, and closes @why_fd. */
void deliver_why(int why_fd, int status, struct deliver_failure *failure);

#endif
