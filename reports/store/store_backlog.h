/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the store lines and batches that wait on this node's disk until the store has them. Only root can read them. To
 * seal lines means to put them into a batch.
 *
 *   SPOOL_DIR/store/lines/    one file for each line, from stint-epilog
 *                   taken/    the lines of the batch that is being sealed
 *                   batches/  sealed batches. The lines of NAME.sealing are still in taken/
 *                   state     the number of the last batch, and how many lines were dropped
 *
 * If a process is killed, each line is in one directory, or in a batch and in taken/. The next store_backlog_resume()
 * removes such duplicates. The name and the bytes of a sealed batch never change.
 *
 * A file's name has the user of all its lines. Lines of several users share a batch only if no other batch waits. So a
 * user who ends thousands of jobs while the store is away loses only their own lines.
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

#define STORE_BACKLOG_LOCK "lock" /* lock of the process that puts lines into batches */
#define STORE_BACKLOG_SENDING "sending" /* lock of the process that writes to the store. The process keeps it even if the write
					 * hangs */

struct store_backlog_state {
	char boot[STORE_BATCH_BOOT];
	uint64_t sequence; /* number of the last batch */
	uint64_t dropped; /* how many lines were dropped in this boot */
	char dropping[NAME_MAX + 1]; /* the file of the last batch that was counted as dropped; the file may still exist */
};

struct store_backlog {
	char path[PATH_MAX + 16];
	int fd, lines_fd, taken_fd, batches_fd;
	struct store_backlog_state state; /* valid while the caller holds the lock */
};

#define STORE_BACKLOG_NO_USER UINT32_MAX /* owner of a file that has lines of several users, or of an unknown user. All these
					  * files count as files of one user */

struct store_backlog_counts {
	uint64_t lines, batches, bytes, dropped;
};

/*
 * Opens or creates the backlog below @spool_dir. Fails if users other than root can write there. Returns 0; -1 with
 * @err and errno set.
 */
int store_backlog_open(struct store_backlog *backlog, const char *spool_dir, struct error *err);

void store_backlog_close(struct store_backlog *backlog);

#define STORE_BACKLOG_NAME 64

struct store_backlog_line {
	char name[STORE_BACKLOG_NAME]; /* file name of the line, the same for all lines that are made from one record */
	int64_t revision;
	char *text; /* the caller must free it; NULL if the record's file says that this line was already put */
	size_t length;
	const char *path; /* path of the record's file; NULL if there is no file */
};

/*
 * Makes the store line of @record. Makes no text if the file @path says that a line of this revision was already put
 * into the backlog.
 *
 * @slurm, @scripts: as in store_line_make()
 *
 * Returns 0; -1 with @err set.
 */
int store_backlog_make(struct store_backlog_line *line, const struct record *record, const struct record_slurm_job *slurm,
		       bool scripts, const char *path, struct error *err);

/*
 * Puts the line on stable storage, and its revision into the record's file. Replaces a waiting line of the same name.
 *
 * Returns 0; -1 with @err set.
 */
int store_backlog_put(const struct store_backlog *backlog, const struct store_backlog_line *line, struct error *err);

/*
 * Waits up to @wait_ms for the lock @name. The lock is released when the last copy of the returned descriptor is
 * closed.
 *
 * Returns -1 with @err and errno set; EWOULDBLOCK if another process holds the lock.
 */
int store_backlog_lock(const struct store_backlog *backlog, const char *name, int wait_ms, struct error *err);

/*
 * Finishes what a killed process began, and reads the state. The caller must hold STORE_BACKLOG_LOCK, also for later
 * changes.
 *
 * Returns 0; -1 with @err set.
 */
int store_backlog_resume(struct store_backlog *backlog, struct error *err);

/*
 * Seals lines that wait.
 *
 * @all: seal all lines; if false, seal STORE_BATCH_LINES lines at a time, and fewer lines only if the oldest line has
 * waited for @age_s seconds
 *
 * Returns 0; -1 with @err set, and the lines that are not sealed stay.
 */
int store_backlog_seal(struct store_backlog *backlog, bool all, unsigned int age_s, struct error *err);

/*
 * Drops the oldest file of the user with the most bytes, until the backlog has at most @max_bytes. Counts dropped lines
 * in the state.
 *
 * @uid: set to the user who lost lines last; may be NULL
 *
 * Returns 0; -1 with @err set.
 */
int store_backlog_bound(struct store_backlog *backlog, uint64_t max_bytes, uint32_t *uid, struct error *err);

/* Removes unfinished lines older than @age_s seconds, which no record will finish. */
void store_backlog_tidy(const struct store_backlog *backlog, unsigned int age_s);

/* Fills @file with the oldest batch's file. Needs no lock. Returns 1; 0 if there is no batch; -1 with @err set. */
int store_backlog_oldest(const struct store_backlog *backlog, char file[NAME_MAX + 1], struct error *err);

/* Fills @name with the store's name of the batch in @file. */
void store_backlog_batch_name(const char *file, char name[NAME_MAX + 1]);

/* Opens the batch in @file for reading. Returns a descriptor; -1 with @err and errno set. */
int store_backlog_open_batch(const struct store_backlog *backlog, const char *file, struct error *err);

/* Removes the batch in @file, which the store has. Returns 0; -1 with @err set. */
int store_backlog_remove(const struct store_backlog *backlog, const char *file, struct error *err);

/* Counts what waits, and the dropped lines. */
void store_backlog_count(const struct store_backlog *backlog, struct store_backlog_counts *counts);

#endif
