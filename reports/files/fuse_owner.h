/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose a file on FUSE is. The server of such a file system makes up who owns each file, and any user may be that server
 * (fusermount, with user_allow_other also for others to see). The kernel knows who mounted it.
 */
#ifndef STINT_FUSE_OWNER_H
#define STINT_FUSE_OWNER_H

#include <sys/types.h>

#define FUSE_OWNER_UNKNOWN ((uid_t)-1) /* it is mounted no more, or not in sight: nobody's */

/*
 * Returns whom the files of the FUSE file system @device (st_dev) are to be taken for, where its server says @shown: the user
 * who mounted it (user_id= in /proc/self/mountinfo, proc_pid_mountinfo(5)); @shown where that is root.
 */
uid_t fuse_owner(dev_t device, uid_t shown);

/* As fuse_owner(), by a file in the form of /proc/self/mountinfo. */
uid_t fuse_owner_by(const char *mounts, dev_t device, uid_t shown);

#endif
