/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Becomes the job's user for good, and handles directories with care, because root must never open, create or rename
 * anything where a user can write.
 */
#ifndef STINT_USER_H
#define STINT_USER_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/error.h"

/*
 * Gives up all rights except those of the user @uid with the group @gid and the groups of @name (only @gid if @name is
 * NULL, or is not that user's name), and makes sure that these rights cannot come back. After this, umask is 022, and
 * the user's processes cannot inspect this process. A process that already runs as that user is left unchanged.
 *
 * Returns 0; -1 with @err set, and the process must then end.
 */
int user_become(uid_t uid, gid_t gid, const char *name, struct error *err);

/*
 * Opens the directory @path. Follows links as the user could, except magic links (/proc/PID/fd...). Root follows no
 * link at all, and opens only a path in whose directories no other user can replace a name.
 *
 * @dirfd: where a relative @path starts; AT_FDCWD: the working directory
 *
 * Returns a descriptor; -1 with @err and errno set.
 */
int user_open_directory(int dirfd, const char *path, struct error *err);

/* Like user_open_directory(), for @path below the directory @dirfd. Makes missing directories first. */
int user_make_directories(int dirfd, const char *path, struct error *err);

/*
 * Opens the file for user_read_file(). @found: filled as by user_read_file(). A file that is not plain may be opened,
 * too, but file_read_known() refuses it. Returns the descriptor; -1 with @err and errno set as by user_read_file()
 */
int user_open_file(int dirfd, const char *name, struct stat *found, struct error *err);

/*
 * Reads the plain file @name of the directory @dirfd as file_read() does. The file must be as trustworthy as the
 * directory, so it must belong to this user, or to the directory's owner. Links are not followed.
 *
 * @found: filled with the file's status, or with zeros if there is none; may be NULL
 *
 * Returns the content, which the caller must free. On failure returns NULL with @err and errno set. errno is ELOOP for
 * a link, and EPERM for another user's file, or for anything else of another user that cannot be opened.
 */
char *user_read_file(int dirfd, const char *name, size_t max, size_t *len, struct stat *found, struct error *err);

/*
 * Returns true if the directory @dirfd has a plain file @name that user_read_file() would not refuse as another user's
 * file.
 */
bool user_has_file(int dirfd, const char *name);

/*
 * Returns true if files that this user makes in the directory @dirfd are shown as owned by this user. Servers that map
 * users show all files as owned by one user. To find out, the function makes a file there and removes it.
 */
bool user_owns_what_is_made(int dirfd);

/*
 * Like file_write(). If another user made a directory called @name, and @name ends in ".json" or begins with ".stint-",
 * the directory is first renamed. Its new name, in the same directory, gets ".aside-" and a random end. Any other
 * directory stays, and so does a directory of this user or of @dirfd's owner; errno is EISDIR then. If @dirfd has the
 * sticky bit, the kernel lets no other user's file be replaced or renamed.
 */
int user_write_file(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Renames the file @name in the directory @dirfd to @kept, and replaces a file called @kept, as user_write_file() does.
 * No byte is copied, because a user may have made the file large, and pages that are written to memory (tmpfs) are
 * charged to the process that writes them. If the file system has links, the file also keeps @name.
 *
 * @file: from fstat(), when the file was read. The file that has the name @name now is renamed only if it is the same
 * file
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
