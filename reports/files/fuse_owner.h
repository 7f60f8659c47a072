/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the owner of a file on FUSE. The server of such a file system invents the owner of each file, and any user may
 * run such a server (fusermount; with user_allow_other, other users see the files, too). The kernel knows which user
 * mounted the file system.
 */
#ifndef STINT_FUSE_OWNER_H
#define STINT_FUSE_OWNER_H

#include <sys/types.h>

#define FUSE_OWNER_UNKNOWN ((uid_t)-1) /* the file system is no longer mounted, or not visible, so no user owns its files */

/*
 * Returns the user to treat as the owner of a file on the FUSE file system @device (st_dev).
 *
 * @shown: the owner that the file system's server shows
 *
 * The result is the user who mounted the file system (user_id= in /proc/self/mountinfo, proc_pid_mountinfo(5)); @shown if
 * root mounted it.
 */
uid_t fuse_owner(dev_t device, uid_t shown);

/* Like fuse_owner(), but reads the file @mounts, which has the form of /proc/self/mountinfo. */
uid_t fuse_owner_by(const char *mounts, dev_t device, uid_t shown);

#endif
