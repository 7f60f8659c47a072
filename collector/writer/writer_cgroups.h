/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cgroups of the writers, below the cgroup of stintd's unit (Delegate=memory). A page of an in-memory file system
 * (tmpfs) is charged to the cgroup of the process that wrote it, until the file is removed. Without these cgroups, a
 * user's reports in /dev/shm would fill stintd's own limit. With them, they fill the user's limit:
 *
 * 	UNIT/collector      stintd and its helpers; only on cgroup v2, where a cgroup with children must have no processes
 * 	UNIT/writers        all writers together: a quarter of the node's memory
 * 	UNIT/writers/UID    the writers of one user; stint-epilog makes and enters it (reports/deliver/own_cgroup.h)
 */
#ifndef STINT_WRITER_CGROUPS_H
#define STINT_WRITER_CGROUPS_H

#include <limits.h>

#include "collector/host/cgroup.h"
#include "common/error.h"

/*
 * Makes these cgroups in the hierarchy that has the memory controller. On cgroup v2 also moves this process.
 *
 * @dir: receives the directory of UNIT/writers
 *
 * Returns 0; -1 with @err set, for example if this process has no cgroup of its own with the memory controller.
 */
int writer_cgroups_make(const struct cgroup_layout *layout, char dir[PATH_MAX], struct error *err);

/*
 * Prepares UNIT so that systemd can start a process in it again. Live writers stay in their cgroups. Call it from a
 * process in UNIT/.control, where systemd runs the commands of ExecStopPost=. Returns 0, even if there is nothing to
 * do; -1 with @err set.
 */
int writer_cgroups_release(const struct cgroup_layout *layout, struct error *err);

/*
 * Removes each user's cgroup in @dir that has neither a process nor a page of an in-memory file system charged to it.
 */
void writer_cgroups_tidy(const char *dir);

#endif
