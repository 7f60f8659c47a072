/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the ranks that mpirun and similar launchers start, directly or by a daemon on each node (orted, prted,
 * hydra_pmi_proxy). Such a daemon is not a child of the launcher, because srun or ssh starts it on the node.
 */
#ifndef STINT_RANKS_H
#define STINT_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/*
 * Returns true if @entry of a timeline is such a launcher or daemon. Returns false for srun, because Slurm itself
 * knows the tasks of srun.
 */
bool ranks_starts(const struct report_entry *entry);

/*
 * Returns the first rank of @launcher that ended with the exit code @code; NULL if there is none. If @code is 0,
 * returns the first rank that failed with any code, unless that code can be the answer to a question. If two
 * launchers were at work at the same time, looks only at the ranks that @launcher started itself, because the owner
 * of other ranks is not known.
 */
const struct report_entry *ranks_first(const struct report_entry_list *timeline, const struct report_entry *launcher, int64_t code);

#endif
