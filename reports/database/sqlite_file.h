/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of a SQLite database and those beside it: who writes it, whether it is damaged, and how it is moved away. */
#ifndef STINT_SQLITE_FILE_H
#define STINT_SQLITE_FILE_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

#define SQLITE_FILE_SETTING 64 /* bytes of a setting that is read from an old file, with its NUL */

enum sqlite_file_state {
	SQLITE_FILE_GOOD, /* or missing, or empty */
	SQLITE_FILE_DAMAGED,
	SQLITE_FILE_OLDER, /* its tables are those of an earlier version */
	SQLITE_FILE_FOREIGN, /* it belongs to another program */
	SQLITE_FILE_UNKNOWN /* it cannot be read now: permission, memory, another process */
};

/*
 * Locks @path.lock, which the writer of the database @path holds.
 *
 * Returns 1 with *@fd set, to be closed; 0 if another process holds it; -1 with @err set.
 */
int sqlite_file_lock(const char *path, int *fd, struct error *err);

/*
 * Marks the locked file as one whose database is being replaced, or removes the mark. It outlives the process: a killed one may
 * leave no database, or only a part of it. The first returns 0; -1 with @err set.
 */
int sqlite_file_mark(int lock_fd, bool replacing, struct error *err);
bool sqlite_file_is_marked(int lock_fd);

/* Returns whether an extended result code of SQLite means that the file is damaged. */
bool sqlite_file_is_damage(int code);

/*
 * Reads all of the file @path, and says what is wrong with it in @why. Changes nothing.
 *
 * @setting: a setting to read into @value if it can be read; else @value is empty
 */
enum sqlite_file_state sqlite_file_judge(const char *path, const char *setting, char value[SQLITE_FILE_SETTING],
					 struct error *why);

/*
 * Renames @path to @moved, "PATH.moved-20261129-101500" (UTC), with its log and the log's index. An empty file of the same owner
 * and mode takes its place. The caller holds the lock.
 *
 * Returns 0; -1 with @err set: nothing was moved.
 */
int sqlite_file_move(const char *path, char moved[PATH_MAX], struct error *err);

#endif
