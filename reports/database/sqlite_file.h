/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles the files of a SQLite database. Locks them for the process that writes, checks them for damage, and
 * moves them away.
 */
#ifndef STINT_SQLITE_FILE_H
#define STINT_SQLITE_FILE_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

#define SQLITE_FILE_SETTING 64 /* size of the buffer for a setting from an old file, including its NUL */

enum sqlite_file_state {
	SQLITE_FILE_GOOD, /* good, missing, or empty */
	SQLITE_FILE_DAMAGED,
	SQLITE_FILE_OLDER, /* the tables have an earlier version */
	SQLITE_FILE_FOREIGN, /* the file belongs to another program */
	SQLITE_FILE_UNKNOWN /* cannot be read now, because of permissions, lack of memory, or another process */
};

/*
 * Locks the file @path.lock. The process that writes to the database @path must hold this lock.
 *
 * Returns 1 with *@fd set, which the caller must close; 0 if another process holds the lock; -1 with @err set.
 */
int sqlite_file_lock(const char *path, int *fd, struct error *err);

/*
 * Marks the lock file to say that its database is being replaced, or removes the mark. If the process is killed,
 * the mark stays, so the next one knows that there may be no database, or only a part of one. Returns 0; -1 with
 * @err set.
 */
int sqlite_file_mark(int lock_fd, bool replacing, struct error *err);
bool sqlite_file_is_marked(int lock_fd);

/* Returns whether an extended result code of SQLite means that the file is damaged. */
bool sqlite_file_is_damage(int code);

/*
 * Reads the whole file @path without changing it, and returns its state. Sets @why to what is wrong with the file.
 *
 * @setting: name of the setting to read into @value. @value is empty if the setting cannot be read.
 */
enum sqlite_file_state sqlite_file_judge(const char *path, const char *setting, char value[SQLITE_FILE_SETTING],
					 struct error *why);

/*
 * Renames the file @path to @moved, which becomes "PATH.moved-20261129-101500" (UTC). Also renames its write-ahead
 * log and the log's index. Creates an empty file with the same owner and mode in its place. The caller must hold
 * the lock.
 *
 * Returns 0; -1 with @err set and nothing renamed.
 */
int sqlite_file_move(const char *path, char moved[PATH_MAX], struct error *err);

#endif
