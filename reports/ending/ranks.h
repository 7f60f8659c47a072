/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ranks that mpirun and the like start: itself, or by a daemon on each node (orted, prted, hydra_pmi_proxy), which is no child of
 * its own: srun or ssh starts it there.
 */
#ifndef STINT_RANKS_H
#define STINT_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/* Returns true if @entry, of a timeline, is such a launcher or daemon. srun is none: its tasks are known as Slurm's. */
bool ranks_starts(const struct report_entry *entry);

/*
 * Returns the first that ended of the ranks of @launcher with the exit code @code; 0: that failed, with any code that cannot have
 * been an answer. Where two launchers were at work at once, only those that @launcher started itself are known to be its own. NULL:
 * there is none.
 */
const struct report_entry *ranks_first(const struct report_entry_list *timeline, const struct report_entry *launcher, int64_t code);

#endif
