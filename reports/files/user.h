/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets a process become the job's user for good, and works on files in the user's directories.
 * Root must never open, create or rename anything where a user can write.
 */
#ifndef STINT_USER_H
#define STINT_USER_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/error.h"

/*
 * Gives up all rights except those of user @uid, group @gid and the groups of @name, for good.
 * Sets umask to 022. The user's processes cannot inspect this process afterwards.
 * A process that already runs as the user only sets umask.
 *
 * @name: if NULL, or not the user's name, @gid is the only group
 *
 * Returns 0; -1 with @err set: the process must then end.
 */
int user_become(uid_t uid, gid_t gid, const char *name, struct error *err);

/*
 * Opens the directory @path. Follows links that the user may follow, but no magic links (/proc/PID/fd...).
 * As root, follows no link, and fails if another user can replace a name in any directory of @path.
 *
 * @dirfd: where a relative @path starts; AT_FDCWD: the working directory
 *
 * Returns a descriptor; -1 with @err and errno set.
 */
int user_open_directory(int dirfd, const char *path, struct error *err);

/* Opens @path below the directory @dirfd like user_open_directory(). Makes missing directories first. */
int user_make_directories(int dirfd, const char *path, struct error *err);

/*
 * Opens the file that user_read_file() reads.
 * Does not check that the file is plain: file_read_known() later refuses other files.
 *
 * @found: filled as by user_read_file()
 *
 * Returns the descriptor; -1 with @err and errno set as by user_read_file().
 */
int user_open_file(int dirfd, const char *name, struct stat *found, struct error *err);

/*
 * Reads the plain file @name of the directory @dirfd with file_read(). Does not follow links.
 * The file must belong to this user or to the directory's owner.
 *
 * @found: filled with the file's status, or with zeros if there is none; may be NULL
 *
 * Returns the content, which the caller must free; NULL with @err and errno set:
 *   ELOOP: the file is a link
 *   EPERM: it is another user's file, or anything else of another user that cannot be opened
 */
char *user_read_file(int dirfd, const char *name, size_t max, size_t *len, struct stat *found, struct error *err);

/*
 * Returns whether @name in @dirfd is a plain file of this user or of the directory's owner.
 * user_read_file() reads only files of these users.
 */
bool user_has_file(int dirfd, const char *name);

/*
 * Returns whether this user is shown as the owner of files that this user makes in @dirfd.
 * Servers that map users show another owner.
 * Makes a file there and removes it. Returns true if no file can be made.
 */
bool user_owns_what_is_made(int dirfd);

/*
 * Writes a file like file_write(). If a directory of another user has the name @name, first renames the directory,
 * but only if @name ends in ".json" or begins with ".stint-", and if @dirfd's owner does not own the directory.
 * The new name is @name with ".aside-" and a random end.
 * With any other directory of this name, the call fails with EISDIR.
 * In a sticky @dirfd, the kernel protects another user's file from this user.
 */
int user_write_file(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Renames the file @name in @dirfd to @kept. Replaces a file called @kept as user_write_file() does.
 * Copies no data: the file may be large, and this process would be charged for each page (tmpfs).
 * If the file system has links, the file keeps the name @name, too.
 *
 * @file: from fstat(), when the file was read
 *
 * Returns 0; -1 with @err and errno set. ESTALE: @name is now another file, and is not renamed.
 */
int user_keep_file(int dirfd, const char *name, const char *kept, const struct stat *file, struct error *err);

/* Returns whether @name is a device, a FIFO or a socket of this user or of root. */
bool user_has_special(int dirfd, const char *name);

#endif
