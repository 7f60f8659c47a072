/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves a writer into the cgroup for writers of the same user; see collector/writer/writer_cgroups.h. */
#ifndef STINT_OWN_CGROUP_H
#define STINT_OWN_CGROUP_H

#include <sys/types.h>

/*
 * Moves this process to the cgroup in the directory @writers that is for writers of the user @uid. Makes the cgroup if
 * it is not there. The memory limit of the cgroup is a sixteenth of the node's memory, but at least as much as one
 * writer may need. If @writers is NULL, does nothing.
 *
 * If the move fails, the process stays in its old cgroup, because the report matters more than the cgroup.
 */
void own_cgroup_enter(const char *writers, uid_t uid);

#endif
