/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cgroup in which writers work for one user: see collector/writer/writer_cgroups.h. */
#ifndef STINT_OWN_CGROUP_H
#define STINT_OWN_CGROUP_H

#include <sys/types.h>

/*
 * Moves this process to the cgroup of the writers for @uid, in the directory @writers, and makes it if it is not there: with a
 * sixteenth of the node's memory as its bound, but no less than what one writer may need. NULL: there is none.
 *
 * If that cannot be, the process stays where it is: a report is worth more than its place.
 */
void own_cgroup_enter(const char *writers, uid_t uid);

#endif
