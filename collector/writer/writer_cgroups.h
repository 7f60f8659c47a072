/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cgroups of the writers, below that of stintd's unit (Delegate=memory). A page of an in-memory file system (tmpfs)
 * is charged to the cgroup of its writer, and stays charged until the file is gone. So a user's reports in /dev/shm
 * would fill stintd's own limit; here they fill the user's:
 *
 *	UNIT/collector      stintd and its helpers (cgroup v2 alone: there, a cgroup with others below it has no processes)
 *	UNIT/writers        all writers together: a quarter of the node's memory
 *	UNIT/writers/UID    the user's; stint-epilog makes it and enters it (reports/deliver/own_cgroup.h)
 */
#ifndef STINT_WRITER_CGROUPS_H
#define STINT_WRITER_CGROUPS_H

#include <limits.h>

#include "collector/host/cgroup.h"
#include "common/error.h"

/*
 * Makes them in the hierarchy that has the memory controller; on cgroup v2 also moves this process.
 *
 * @dir: set to the directory of UNIT/writers
 *
 * Returns 0; -1 with @err set if this process has no cgroup of its own with that controller.
 */
int writer_cgroups_make(const struct cgroup_layout *layout, char dir[PATH_MAX], struct error *err);

/*
 * Makes UNIT a cgroup in which systemd can start a process again; live writers stay where they are. Call it from a
 * process in UNIT/.control, where systemd runs the commands of ExecStopPost=. Returns 0, even if there is nothing to
 * do; -1 with @err set.
 */
int writer_cgroups_release(const struct cgroup_layout *layout, struct error *err);

/*
 * Removes each user's cgroup in @dir that has no process, and no page of an in-memory file system charged to it.
 */
void writer_cgroups_tidy(const char *dir);

#endif
