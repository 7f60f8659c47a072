/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out which user to treat as the owner of a file on FUSE. The server of a FUSE file system invents the owner of
 * each file, and any user may run such a server (fusermount). With user_allow_other, other users also see its files. So
 * the user who mounted the file system counts as the owner, because the kernel knows this user.
 */
#ifndef STINT_FUSE_OWNER_H
#define STINT_FUSE_OWNER_H

#include <sys/types.h>

#define FUSE_OWNER_UNKNOWN ((uid_t)-1) /* the file system is no longer mounted, or not visible, so no user owns its files */

/*
 * Returns the user to treat as the owner of a file on the FUSE file system @device (st_dev). This is the user who
 * mounted the file system (user_id= in /proc/self/mountinfo, proc_pid_mountinfo(5)). If root mounted it, returns
 * @shown.
 *
 * @shown: the owner that the file system's server shows
 */
uid_t fuse_owner(dev_t device, uid_t shown);

/* Like fuse_owner(), but reads the file @mounts, which has the form of /proc/self/mountinfo. */
uid_t fuse_owner_by(const char *mounts, dev_t device, uid_t shown);

#endif
