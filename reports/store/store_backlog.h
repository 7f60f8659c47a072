/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The backlog: store lines, and batches of them, that wait on this node's disk until the store has them. Only root can
 * read it.
 *
 *   SPOOL_DIR/store/lines/    one file for each line, which stint-epilog puts there
 *                   taken/    the lines of the batch that is being sealed
 *                   batches/  sealed batches, as the store gets them. The lines of a batch NAME.sealing are still in taken/
 *                   state     the number of the last batch, and what was dropped
 *
 * If a process is killed between any two of its system calls, each line is in one place, or in a batch and also in
 * taken/. The next store_backlog_resume() resolves that. A batch keeps its name and its bytes from the moment that it
 * is sealed.
 *
 * The name of a file says which user owns the line, or all lines of the batch. A batch has lines of several users only
 * if no other batch waits. So users who end jobs by the thousand while the store is unreachable lose only their own
 * lines.
 */
#ifndef STINT_STORE_BACKLOG_H
#define STINT_STORE_BACKLOG_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/spool/waiting.h"
#include "reports/store/store_batch.h"

#define STORE_BACKLOG_LOCK "lock" /* held by the process that seals */
#define STORE_BACKLOG_SENDING "sending" /* held by the process that writes to the store, even while that write hangs */

struct store_backlog_state {
	char boot[STORE_BATCH_BOOT];
	uint64_t sequence; /* of the last batch */
	uint64_t dropped; /* lines dropped in this boot */
	char dropping[NAME_MAX + 1]; /* file of the batch that was last counted as dropped: it may still exist */
};

struct store_backlog {
	char path[PATH_MAX + 16];
	int fd, lines_fd, taken_fd, batches_fd;
	struct store_backlog_state state; /* valid while the lock is held */
};

#define STORE_BACKLOG_NO_USER UINT32_MAX /* of several users, or of an unknown one: such files count as one user's */

struct store_backlog_counts {
	uint64_t lines, batches, bytes, dropped;
};

/*
 * Opens the backlog below @spool_dir, and creates it if it is missing. Only root may be able to write there.
 * Returns 0; -1 with @err and errno set.
 */
int store_backlog_open(struct store_backlog *backlog, const char *spool_dir, struct error *err);

void store_backlog_close(struct store_backlog *backlog);

#define STORE_BACKLOG_NAME 64

/* A line to put into the backlog. */
struct store_backlog_line {
	char name[STORE_BACKLOG_NAME]; /* of its file: the same for all lines of one attempt of a job on this node */
	int64_t revision;
	char *text; /* to be freed; NULL: the record's file remembers that this line was put already */
	size_t length;
	const char *path; /* of the record's file; NULL: it has none */
};

/*
 * Makes the store line of @record. If the record's file @path remembers that a line of this revision was put, makes no
 * text: a record that is delivered again gets no second line. @slurm, @scripts: as in store_line_make()
 *
 * Returns 0; -1 with @err set.
 */
int store_backlog_make(struct store_backlog_line *line, const struct record *record, const struct record_slurm_job *slurm,
		       bool scripts, const char *path, struct error *err);

/*
 * Puts the line into the backlog. It is then on stable storage, and the record's file remembers it. Replaces a line of
 * an earlier record of the same job, node and attempt, if that still waits. Returns 0; -1 with @err set.
 */
int store_backlog_put(const struct store_backlog *backlog, const struct store_backlog_line *line, struct error *err);

/*
 * Takes the lock @name, and waits for it up to @wait_ms. Returns a descriptor: the lock is released when its last copy
 * is closed. Returns -1 with @err and errno set (EWOULDBLOCK: another process holds it).
 */
int store_backlog_lock(const struct store_backlog *backlog, const char *name, int wait_ms, struct error *err);

/*
 * Finishes what a killed process had begun, and reads the state. The caller must hold STORE_BACKLOG_LOCK for this call
 * and for those that change the backlog after it. Returns 0; -1 with @err set.
 */
int store_backlog_resume(struct store_backlog *backlog, struct error *err);

/*
 * Seals lines into batches.
 *
 * @all: seal all lines that wait; false: seal STORE_BATCH_LINES at a time, and seal a smaller batch only if one of its
 * lines is @age_s old
 *
 * Returns 0; -1 with @err set: lines that are not sealed yet stay where they are.
 */
int store_backlog_seal(struct store_backlog *backlog, bool all, unsigned int age_s, struct error *err);

/*
 * Drops the oldest lines and batches of the user who has the most bytes, until the backlog takes at most @max_bytes.
 * Counts the dropped lines in the state.
 *
 * @uid: set to the user whose lines were dropped last; unchanged if none were dropped. May be NULL
 *
 * Returns 0; -1 with @err set.
 */
int store_backlog_bound(struct store_backlog *backlog, uint64_t max_bytes, uint32_t *uid, struct error *err);

/* Removes files of unfinished lines, if they are older than @age_s: their record is gone for good. */
void store_backlog_tidy(const struct store_backlog *backlog, unsigned int age_s);

/*
 * Fills @file with the name of the oldest batch's file. Returns 1; 0: there is none; -1 with @err set. Needs no lock.
 */
int store_backlog_oldest(const struct store_backlog *backlog, char file[NAME_MAX + 1], struct error *err);

/* Fills @name with the name that the batch in @file has in the store. */
void store_backlog_batch_name(const char *file, char name[NAME_MAX + 1]);

/* Opens the batch in @file for reading. Returns a descriptor; -1 with @err and errno set. */
int store_backlog_open_batch(const struct store_backlog *backlog, const char *file, struct error *err);

/* Removes the batch in @file, once the store has it. Returns 0; -1 with @err set. */
int store_backlog_remove(const struct store_backlog *backlog, const char *file, struct error *err);

/* Counts the lines, batches and bytes in the backlog, and the dropped lines. */
void store_backlog_count(const struct store_backlog *backlog, struct store_backlog_counts *counts);

#endif
