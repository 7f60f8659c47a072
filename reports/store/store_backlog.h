/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The backlog: store lines, and batches of them, on this node's disk until the store has them. Only root can read it.
 *
 *   SPOOL_DIR/store/lines/    one file for each line, which stint-epilog puts there
 *                   taken/    the lines of the batch that is being sealed
 *                   batches/  sealed ones, as the store gets them; NAME.sealing is one whose lines are still in taken/
 *                   state     which number the next batch has, and what was dropped
 *
 * A process that is killed between any two of its system calls leaves each line in one place, or in a batch and in
 * taken/, which the next store_backlog_resume() settles. A batch keeps its name and its bytes from the moment that it
 * is sealed.
 *
 * Names say whose a line is, or whose all lines of a batch are. A batch has lines of several users only where no other
 * waits, so that users who end jobs by the thousand while the store is away lose lines of their own.
 */
#ifndef STINT_STORE_BACKLOG_H
#define STINT_STORE_BACKLOG_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/store/store_batch.h"

#define STORE_BACKLOG "store" /* below spool_dir */
#define STORE_BACKLOG_LOCK "lock" /* held by who seals */
#define STORE_BACKLOG_SENDING "sending" /* held by who writes to the store, for as long as that hangs, too */

struct store_backlog_state {
	char boot[STORE_BATCH_BOOT];
	uint64_t sequence; /* of the last batch */
	uint64_t dropped; /* lines, in this boot */
	char dropping[NAME_MAX + 1]; /* the file of the batch that was counted as dropped last: it may still be there */
};

struct store_backlog {
	char path[PATH_MAX + 16];
	int fd, lines_fd, taken_fd, batches_fd;
	struct store_backlog_state state; /* valid while the lock is held */
};

#define STORE_BACKLOG_NO_USER UINT32_MAX /* of several users, or not known whose: such files count as one user's */

struct store_backlog_counts {
	uint64_t lines, batches, bytes, dropped;
};

/*
 * Opens the backlog below @spool_dir, and makes it where it is missing. Only root may be able to write there.
 * Returns 0; -1 with @err and errno set.
 */
int store_backlog_open(struct store_backlog *backlog, const char *spool_dir, struct error *err);

void store_backlog_close(struct store_backlog *backlog);

#define STORE_BACKLOG_NAME 64

/* A line that is to be put. */
struct store_backlog_line {
	char name[STORE_BACKLOG_NAME]; /* of its file: the same for all lines of a job's attempt on this node */
	int64_t revision;
	char *text; /* to be freed; NULL: the record's file remembers that it was put */
	size_t length;
	const char *path; /* of the record's file; NULL: it has none */
};

/*
 * Makes the store line of @record. Where the record's file @path remembers a line of this revision, none is made: so a
 * record that is delivered again has no second line. @slurm, @scripts: as store_line_make() has them
 *
 * Returns 0; -1 with @err set.
 */
int store_backlog_make(struct store_backlog_line *line, const struct record *record, const struct record_slurm_job *slurm,
		       bool scripts, const char *path, struct error *err);

/*
 * Puts the line into the backlog; it is on stable storage then, and the record's file remembers it. A line of an
 * earlier record of the same job, node and attempt that is still there is replaced. Returns 0; -1 with @err set.
 */
int store_backlog_put(const struct store_backlog *backlog, const struct store_backlog_line *line, struct error *err);

/*
 * Takes the lock @name, for which it waits up to @wait_ms. Returns a descriptor, whose last copy's end gives the lock
 * back; -1 with @err and errno set (EWOULDBLOCK: another process has it).
 */
int store_backlog_lock(const struct store_backlog *backlog, const char *name, int wait_ms, struct error *err);

/*
 * Finishes what a process that was killed has begun, and reads the state. The caller holds STORE_BACKLOG_LOCK, here and
 * for all that follows. Returns 0; -1 with @err set.
 */
int store_backlog_resume(struct store_backlog *backlog, struct error *err);

/*
 * Seals lines into batches.
 *
 * @all: all that are there; false: STORE_BATCH_LINES at a time, and the rest where one of them is @age_s old
 *
 * Returns 0; -1 with @err set: what is not sealed yet stays where it is.
 */
int store_backlog_seal(struct store_backlog *backlog, bool all, unsigned int age_s, struct error *err);

/*
 * Drops what is oldest of the user who has most, batches or lines, until all take at most @max_bytes. It is counted in
 * the state.
 *
 * @uid: gets whose lines were dropped last; it is left as it is where none were. NULL: nobody asks
 *
 * Returns 0; -1 with @err set.
 */
int store_backlog_bound(struct store_backlog *backlog, uint64_t max_bytes, uint32_t *uid, struct error *err);

/* Removes what was left of lines whose record is gone for good: older than @age_s. */
void store_backlog_tidy(const struct store_backlog *backlog, unsigned int age_s);

/*
 * Fills @file with the name of the oldest batch's file. Returns 1; 0: there is none; -1 with @err set. No lock is
 * needed.
 */
int store_backlog_oldest(const struct store_backlog *backlog, char file[NAME_MAX + 1], struct error *err);

/* Fills @name with the name by which the store gets the batch in @file. */
void store_backlog_batch_name(const char *file, char name[NAME_MAX + 1]);

/* Opens the batch in @file for reading. Returns a descriptor; -1 with @err and errno set. */
int store_backlog_open_batch(const struct store_backlog *backlog, const char *file, struct error *err);

/* Removes the batch in @file, which the store has. Returns 0; -1 with @err set. */
int store_backlog_remove(const struct store_backlog *backlog, const char *file, struct error *err);

/* Counts what is there. */
void store_backlog_count(const struct store_backlog *backlog, struct store_backlog_counts *counts);

#endif
