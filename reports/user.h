/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Becoming the job's user, for good, and being careful in directories: root
 * never opens, creates or renames anything where a user can write.
 */
#ifndef STINT_USER_H
#define STINT_USER_H

#include <stdbool.h>
#include <sys/types.h>

#include "collector/common/error.h"

/*
 * Gives up all rights but those of the user @uid with the group @gid and the
 * groups that @name is in (just @gid when @name is NULL, or not that user's), and makes
 * sure that they cannot come back. umask is 022 from then on, and none of the user's processes
 * may look into this one. A process that runs as that user already is left as it is.
 *
 * Returns 0; -1 with @err set, and the process must end then.
 */
int user_become(uid_t uid, gid_t gid, const char *name, struct error *err);

/*
 * Opens the directory @path, whose links the user could have followed too; no
 * magic link (/proc/PID/fd...) is. As root, follows no link at all, and takes
 * only a path of directories in none of which anybody else can replace a name.
 *
 * @dirfd: where @path starts; AT_FDCWD
 *
 * Returns a descriptor; -1 with @err and errno set.
 */
int user_open_directory(int dirfd, const char *path, struct error *err);

/*
 * As user_open_directory(), for @path below the directory @dirfd; what is
 * missing of it is made first.
 */
int user_make_directories(int dirfd, const char *path, struct error *err);

/*
 * Reads the plain file @name of the directory @dirfd as file_read() does, when it can be trusted as far
 * as the directory can: it is this user's own, or its owner is the directory's too. No link is followed.
 *
 * Returns the content, to be freed; NULL with @err and errno set (ELOOP: a link; EPERM: another's).
 */
char *user_read_file(int dirfd, const char *name, size_t max, size_t *len, struct error *err);

#endif
