/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the cgroups of the writers, below the cgroup of stintd's unit (Delegate=memory). The kernel charges a page of
 * an in-memory file system (tmpfs) to the cgroup of the process that wrote the page, until the file is removed. Without
 * these cgroups, a user's reports in /dev/shm would fill the limit of stintd itself. With these cgroups, they fill the
 * user's limit:
 *
 *   UNIT/collector     stintd and its helpers; only on cgroup v2, where a cgroup with children must have no processes
 *   UNIT/writers       all writers together: a quarter of the node's memory
 *   UNIT/writers/UID   the writers of one user; stint-epilog makes and enters it (reports/deliver/own_cgroup.h)
 */
#ifndef STINT_WRITER_CGROUPS_H
#define STINT_WRITER_CGROUPS_H

#include <limits.h>

#include "collector/host/cgroup.h"
#include "common/error.h"

/*
 * Makes these cgroups in the hierarchy that has the memory controller. On cgroup v2, also moves the calling process to
 * UNIT/collector.
 *
 * @dir: receives the path of UNIT/writers
 *
 * Returns 0; -1 with @err set, for example if the calling process has no cgroup of its own with the memory controller.
 */
int writer_cgroups_make(const struct cgroup_layout *layout, char dir[PATH_MAX], struct error *err);

/*
 * Prepares UNIT so that systemd can start a process in it again. Writers that still run stay in their cgroups. Call
 * this from a process in UNIT/.control, where systemd runs the commands of ExecStopPost=. Returns 0, even if there is
 * nothing to do; -1 with @err set.
 */
int writer_cgroups_release(const struct cgroup_layout *layout, struct error *err);

/* Removes the cgroups of users in @dir that have no process and are charged for no page of an in-memory file system. */
void writer_cgroups_tidy(const char *dir);

#endif
