/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks the file of a SQLite database, checks it for damage, and moves it away. */
#ifndef STINT_SQLITE_FILE_H
#define STINT_SQLITE_FILE_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

#define SQLITE_FILE_SETTING 64 /* with the NUL */

enum sqlite_file_state {
	SQLITE_FILE_GOOD, /* good, missing, or empty */
	SQLITE_FILE_DAMAGED,
	SQLITE_FILE_OLDER, /* the tables have an earlier version */
	SQLITE_FILE_FOREIGN, /* the file belongs to another program */
	SQLITE_FILE_UNKNOWN /* cannot be read now, because of permissions, lack of memory, or another process */
};

/*
 * Locks @path.lock. The process that writes to the database @path must hold it.
 *
 * Returns 1 with *@fd set, which the caller must close; 0 if another process holds it; -1 with @err set.
 */
int sqlite_file_lock(const char *path, int *fd, struct error *err);

/*
 * Notes in the lock file that the database is being replaced. If the process is killed, the next process knows that the
 * database may be missing or incomplete. Returns 0; -1 with @err set.
 */
int sqlite_file_mark(int lock_fd, bool replacing, struct error *err);
bool sqlite_file_is_marked(int lock_fd);

/* Returns whether an extended result code of SQLite means that the file is damaged. */
bool sqlite_file_is_damage(int code);

/*
 * Reads the whole file without changing it. Returns its state, and in @why what is wrong.
 *
 * @setting: a setting to read into @value; empty if it cannot be read
 */
enum sqlite_file_state sqlite_file_judge(const char *path, const char *setting, char value[SQLITE_FILE_SETTING],
					 struct error *why);

/*
 * Renames the database to @moved, as "PATH.moved-20261129-101500" (UTC), with its log. Leaves an empty file with the
 * same owner and mode. The caller must hold the lock.
 *
 * Returns 0; -1 with @err set and nothing renamed.
 */
int sqlite_file_move(const char *path, char moved[PATH_MAX], struct error *err);

#endif
