/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out which user counts as the owner of a file on FUSE.
 * A FUSE server invents the owners of its files, and any user may run a server (fusermount).
 * With user_allow_other, other users see the files, too.
 * The kernel knows who mounted the file system: that user counts as the owner.
 */
#ifndef STINT_FUSE_OWNER_H
#define STINT_FUSE_OWNER_H

#include <sys/types.h>

#define FUSE_OWNER_UNKNOWN ((uid_t)-1) /* the file system is not mounted or not visible: no user owns its files */

/*
 * Returns the user who mounted the FUSE file system @device (st_dev).
 * Reads user_id= in /proc/self/mountinfo, see proc_pid_mountinfo(5). If root mounted the file system, returns @shown.
 *
 * @shown: the owner that the server shows
 */
uid_t fuse_owner(dev_t device, uid_t shown);

/* Reads the file @mounts in place of /proc/self/mountinfo, for tests. */
uid_t fuse_owner_by(const char *mounts, dev_t device, uid_t shown);

#endif
