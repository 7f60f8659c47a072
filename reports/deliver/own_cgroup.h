/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves a writer into its user's cgroup (collector/writer/writer_cgroups.h). */
#ifndef STINT_OWN_CGROUP_H
#define STINT_OWN_CGROUP_H

#include <sys/types.h>

/*
 * Moves this process to the cgroup @writers/@uid, and makes the cgroup if necessary. The limit is a sixteenth of the
 * node's memory, but enough for a writer. @writers: may be NULL
 * Ignores a failure, because the report matters more.
 */
void own_cgroup_enter(const char *writers, uid_t uid);

#endif
