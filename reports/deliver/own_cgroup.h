/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves writers into the cgroup for the user for whom they work; see collector/writer/writer_cgroups.h. */
#ifndef STINT_OWN_CGROUP_H
#define STINT_OWN_CGROUP_H

#include <sys/types.h>

/*
 * Moves this process to the cgroup of the writers for @uid, in the directory @writers. Makes the cgroup if it is not
 * there. Its memory limit is a sixteenth of the node's memory, but at least as much as one writer may need. If @writers
 * is NULL, does nothing.
 *
 * If this fails, the process stays in its cgroup, because the report matters more than the cgroup.
 */
void own_cgroup_enter(const char *writers, uid_t uid);

#endif
