/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes cgroups for the writers, below the cgroup of stintd's unit (Delegate=memory).
 *
 * The kernel charges a tmpfs page to the cgroup of the process that wrote it, until the file is removed. In a common
 * cgroup, a user's reports in /dev/shm would fill stintd's limit.
 *
 * UNIT/collector: stintd and its helpers; only on cgroup v2, where a cgroup with children has no processes
 * UNIT/writers: all writers, with a quarter of the node's memory
 * UNIT/writers/UID: the writers of one user (reports/deliver/own_cgroup.h)
 */
#ifndef STINT_WRITER_CGROUPS_H
#define STINT_WRITER_CGROUPS_H

#include <limits.h>

#include "collector/host/cgroup.h"
#include "common/error.h"

/*
 * Makes the cgroups in the hierarchy of the memory controller. On cgroup v2, moves the caller to UNIT/collector.
 *
 * @dir: receives the path of UNIT/writers
 *
 * Returns 0; -1 with @err set, also if the caller has no memory cgroup of its own.
 */
int writer_cgroups_make(const struct cgroup_layout *layout, char dir[PATH_MAX], struct error *err);

/*
 * Prepares UNIT for a new start by systemd. Running writers stay in their cgroups.
 * Call from UNIT/.control, where systemd runs ExecStopPost=.
 * Returns 0, even if there is nothing to do; -1 with @err set.
 */
int writer_cgroups_release(const struct cgroup_layout *layout, struct error *err);

/* Removes those users' cgroups in @dir that have neither processes nor pages of an in-memory file system. */
void writer_cgroups_tidy(const char *dir);

#endif
