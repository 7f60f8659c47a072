/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Becomes the job's user for good, and handles directories with care: root never opens, creates or renames anything
 * where a user can write.
 */
#ifndef STINT_USER_H
#define STINT_USER_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/error.h"

/*
 * Gives up all rights but those of the user @uid with the group @gid and the groups of @name (only @gid when @name is
 * NULL, or not that user's name), and makes sure that they cannot come back. From then on umask is 022, and none of the
 * user's processes may look into this one. A process that already runs as that user is left as it is.
 *
 * Returns 0; -1 with @err set, and the process must end then.
 */
int user_become(uid_t uid, gid_t gid, const char *name, struct error *err);

/*
 * Opens the directory @path. Links are followed as the user could follow them, but no magic links (/proc/PID/fd...).
 * Root follows no link at all, and opens only a path in whose directories nobody else can replace a name.
 *
 * @dirfd: where a relative @path starts; AT_FDCWD: the working directory
 *
 * Returns a descriptor; -1 with @err and errno set.
 */
int user_open_directory(int dirfd, const char *path, struct error *err);

/*
 * As user_open_directory(), for @path below the directory @dirfd. Missing directories are made first.
 */
int user_make_directories(int dirfd, const char *path, struct error *err);

/*
 * Opens what user_read_file() reads. @found: filled as there. What is no plain file may be opened, too: file_read_known()
 * refuses it. Returns the descriptor; -1 with @err and errno set as there.
 */
int user_open_file(int dirfd, const char *name, struct stat *found, struct error *err);

/*
 * Reads the plain file @name of the directory @dirfd as file_read() does. The file must be as trustworthy as the
 * directory: it belongs to this user, or to the directory's owner. No link is followed.
 *
 * @found: filled with what the file is, or with zeros where there is none; may be NULL
 *
 * Returns the content, to be freed; NULL with @err and errno set (ELOOP: a link; EPERM: another user's file, and whatever
 * else of another user's cannot be opened).
 */
char *user_read_file(int dirfd, const char *name, size_t max, size_t *len, struct stat *found, struct error *err);

/*
 * Whether the directory @dirfd has a plain file @name that user_read_file() would not refuse as another user's.
 */
bool user_has_file(int dirfd, const char *name);

/*
 * Whether what this user makes in the directory @dirfd is shown as his own. Servers that map users show all files as one
 * user's. To find out, a file is made there, and removed.
 */
bool user_owns_what_is_made(int dirfd);

/*
 * As file_write(), also where another user has made a directory of that name, and it ends in ".json" or begins with
 * ".stint-": it gets the name with ".aside-" and a random end, in the same directory. Any other directory, and one of this
 * user's or of @dirfd's owner, stays, and errno is EISDIR. Where @dirfd
 * has the sticky bit, the kernel lets nothing of another user's be replaced or renamed.
 */
int user_write_file(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Gives the file @name in the directory @dirfd the name @kept, in place of what had that, as user_write_file() does. No byte of it
 * is written: a user may have made it large, and what is written in memory (tmpfs) is charged to who writes it. The file
 * keeps @name, too, where the file system has links.
 *
 * @file: of fstat(), when it was read; what has the name now is kept only where it is the same
 *
 * Returns 0; -1 with @err and errno set: ESTALE where it is another file by now.
 */
int user_keep_file(int dirfd, const char *name, const char *kept, const struct stat *file, struct error *err);

/*
 * Whether @name is there, no plain file and no directory or link (a device, a FIFO or a socket), and this user's own or root's.
 */
bool user_has_special(int dirfd, const char *name);

#endif
