/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the backlog. It contains the store lines, and batches of store lines, that wait on this node's disk until the
 * store has them. Only root can read the backlog. To seal lines means to put them into a batch.
 *
 *   SPOOL_DIR/store/lines/    one file for each line, which stint-epilog puts there
 *                   taken/    the lines of the batch that is being sealed
 *                   batches/  sealed batches, as they are sent. The lines of a batch NAME.sealing are still in taken/
 *                   state     the number of the last batch, and how many lines were dropped
 *
 * If a process is killed between any two system calls, each line is in only one directory, or it is both in a batch and
 * in taken/. The next store_backlog_resume() removes such duplicates. The name and the bytes of a sealed batch never
 * change.
 *
 * A file's name has the user who owns the line, or who owns all lines of the batch. Lines of several users are put into
 * the same batch only if no other batch waits. So if a user ends thousands of jobs while the store cannot be reached,
 * only that user loses lines.
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

#define STORE_BACKLOG_NO_USER UINT32_MAX /* the owner of a file of several users, or of an unknown user. These files are treated
					  * as those of one user */

struct store_backlog_counts {
	uint64_t lines, batches, bytes, dropped;
};

/*
 * Opens the backlog below @spool_dir. Creates the backlog if it is missing. Fails if anyone but root can write there.
 * Returns 0; -1 with @err and errno set.
 */
int store_backlog_open(struct store_backlog *backlog, const char *spool_dir, struct error *err);

void store_backlog_close(struct store_backlog *backlog);

#define STORE_BACKLOG_NAME 64

/* A line to put into the backlog. */
struct store_backlog_line {
	char name[STORE_BACKLOG_NAME]; /* file name of the line, the same for all lines that are made from one record */
	int64_t revision;
	char *text; /* the caller must free it; NULL if the record's file says that this line was already put */
	size_t length;
	const char *path; /* path of the record's file; NULL if there is none */
};

/*
 * Makes the store line of @record. If the record's file @path says that a line of this revision was already put, makes
 * no text, because a record that is delivered again must not get a second line.
 *
 * @slurm, @scripts: as in store_line_make()
 *
 * Returns 0; -1 with @err set.
 */
int store_backlog_make(struct store_backlog_line *line, const struct record *record, const struct record_slurm_job *slurm,
		       bool scripts, const char *path, struct error *err);

/*
 * Puts the line into the backlog on stable storage, and saves the line's revision in the record's file. If a line with
 * the same name still waits, replaces that line. Returns 0; -1 with @err set.
 */
int store_backlog_put(const struct store_backlog *backlog, const struct store_backlog_line *line, struct error *err);

/*
 * Gets the lock @name. Waits for the lock for at most @wait_ms milliseconds. Returns a descriptor. The lock is released
 * when the last copy of this descriptor is closed. Returns -1 with @err and errno set. errno is EWOULDBLOCK if another
 * process holds the lock.
 */
int store_backlog_lock(const struct store_backlog *backlog, const char *name, int wait_ms, struct error *err);

/*
 * Finishes what a killed process began to change in the backlog, and reads the state. The caller must hold
 * STORE_BACKLOG_LOCK for this call and for all later calls that change the backlog. Returns 0; -1 with @err set.
 */
int store_backlog_resume(struct store_backlog *backlog, struct error *err);

/*
 * Puts lines that wait into batches (seals them).
 *
 * @all: if true, seals all lines. If false, seals STORE_BATCH_LINES lines at a time, and makes a smaller batch only if
 * one of its lines is at least @age_s seconds old.
 *
 * Returns 0; -1 with @err set. Lines that are not sealed yet stay in the backlog.
 */
int store_backlog_seal(struct store_backlog *backlog, bool all, unsigned int age_s, struct error *err);

/*
 * Drops lines and batches until the backlog has at most @max_bytes. Each time, drops the oldest file of the user whose
 * files have the most bytes. Counts the dropped lines in the state.
 *
 * @uid: set to the user whose lines were dropped last; unchanged if no lines were dropped. May be NULL.
 *
 * Returns 0; -1 with @err set.
 */
int store_backlog_bound(struct store_backlog *backlog, uint64_t max_bytes, uint32_t *uid, struct error *err);

/*
 * Removes files of unfinished lines that are older than @age_s seconds, because no record will ever finish such a line.
 */
void store_backlog_tidy(const struct store_backlog *backlog, unsigned int age_s);

/*
 * Fills @file with the name of the oldest batch's file. Returns 1; 0 if there is no batch; -1 with @err set. The caller
 * needs no lock.
 */
int store_backlog_oldest(const struct store_backlog *backlog, char file[NAME_MAX + 1], struct error *err);

/* Fills @name with the name that the batch in @file has in the store. */
void store_backlog_batch_name(const char *file, char name[NAME_MAX + 1]);

/* Opens the batch in @file for reading. Returns a descriptor; -1 with @err and errno set. */
int store_backlog_open_batch(const struct store_backlog *backlog, const char *file, struct error *err);

/* Removes the batch in @file. Call it when the store has the batch. Returns 0; -1 with @err set. */
int store_backlog_remove(const struct store_backlog *backlog, const char *file, struct error *err);

/* Counts the lines, batches and bytes in the backlog, and the dropped lines. */
void store_backlog_count(const struct store_backlog *backlog, struct store_backlog_counts *counts);

#endif
