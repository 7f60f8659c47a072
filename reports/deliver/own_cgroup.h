/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cgroup in which writers work for one user: see collector/writer/writer_cgroups.h. */
#ifndef STINT_OWN_CGROUP_H
#define STINT_OWN_CGROUP_H

#include <sys/types.h>

/*
 * Moves this process to the cgroup of the writers for @uid, in the directory @writers. Makes the cgroup if it is not
 * there, with a sixteenth of the node's memory as its bound, but at least what one writer may need. @writers is NULL:
 * does nothing.
 *
 * If that fails, the process stays where it is: the report matters more than the cgroup.
 */
void own_cgroup_enter(const char *writers, uid_t uid);

#endif
