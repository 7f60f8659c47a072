/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets a process become the job's user for good, and opens, reads and writes files in the user's directories. Root must
 * never open, create or rename anything where a user can write.
 */
#ifndef STINT_USER_H
#define STINT_USER_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/error.h"

/*
 * Gives up all rights except those of the user @uid, the group @gid and the groups of @name, and makes sure that the
 * other rights cannot come back. If @name is NULL, or is not that user's name, @gid is the only group. Sets umask to
 * 022. Afterwards, the user's processes cannot inspect this process. If the process already runs as that user, only
 * sets umask.
 *
 * Returns 0; -1 with @err set, and the process must then end.
 */
int user_become(uid_t uid, gid_t gid, const char *name, struct error *err);

/*
 * Opens the directory @path. Follows links that the user may follow, but not magic links (/proc/PID/fd...). As root,
 * follows no link at all, and fails if another user can replace a name in any directory of @path.
 *
 * @dirfd: where a relative @path starts; AT_FDCWD: the working directory
 *
 * Returns a descriptor; -1 with @err and errno set.
 */
int user_open_directory(int dirfd, const char *path, struct error *err);

/* Like user_open_directory(), for @path below the directory @dirfd. Makes missing directories first. */
int user_make_directories(int dirfd, const char *path, struct error *err);

/*
 * Opens the file that user_read_file() reads. Also opens some files that are not plain, but file_read_known() refuses
 * them.
 *
 * @found: filled as by user_read_file()
 *
 * Returns the descriptor; -1 with @err and errno set as by user_read_file().
 */
int user_open_file(int dirfd, const char *name, struct stat *found, struct error *err);

/*
 * Reads the plain file @name of the directory @dirfd as file_read() does. Does not follow links. Refuses the file
 * unless it is as trustworthy as the directory, that is, unless it belongs to this user or to the directory's owner.
 *
 * @found: filled with the file's status, or with zeros if there is none; may be NULL
 *
 * Returns the content, which the caller must free. On failure returns NULL with @err and errno set. errno is ELOOP for
 * a link, and EPERM for another user's file, or for anything else of another user that cannot be opened.
 */
char *user_read_file(int dirfd, const char *name, size_t max, size_t *len, struct stat *found, struct error *err);

/*
 * Returns true if @name in the directory @dirfd is a plain file of this user or of the directory's owner. Then
 * user_read_file() does not refuse it as another user's file.
 */
bool user_has_file(int dirfd, const char *name);

/*
 * Returns true if the file system shows files that this user makes in the directory @dirfd as owned by this user. It
 * may show another owner, because servers that map users show all files as owned by one user. Finds out by making a
 * file there and removing it. Also returns true if no file can be made.
 */
bool user_owns_what_is_made(int dirfd);

/*
 * Like file_write(). If @name is a directory that belongs neither to this user nor to @dirfd's owner, and @name ends in
 * ".json" or begins with ".stint-", first renames this directory. Its new name, in @dirfd, is @name with ".aside-" and
 * a random end. Does not rename any other directory, and then fails with errno EISDIR. If @dirfd has the sticky bit,
 * the kernel does not let this user replace or rename another user's file.
 */
int user_write_file(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Renames the file @name in the directory @dirfd to @kept. Replaces a file called @kept, as user_write_file() does.
 * Copies no data, because a user may have made the file large, and because this process would be charged for each page
 * that it writes to memory (tmpfs). If the file system has links, the file also keeps the name @name.
 *
 * @file: from fstat(), when the file was read. If @name is another file by now, that file is not renamed
 *
 * Returns 0; -1 with @err and errno set. errno is ESTALE if @name is another file by now.
 */
int user_keep_file(int dirfd, const char *name, const char *kept, const struct stat *file, struct error *err);

/*
 * Returns true if @name is a device, a FIFO or a socket, that is, not a plain file, directory or link, and is owned by
 * this user or by root.
 */
bool user_has_special(int dirfd, const char *name);

#endif
