/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds ranks: processes that mpirun and similar launchers start, directly or through a daemon on each node.
 * srun or ssh starts the daemon (orted, prted, hydra_pmi_proxy), so the launcher is not the parent of the daemon.
 */
#ifndef STINT_RANKS_H
#define STINT_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

/* Returns true if @entry is a launcher of ranks, or its daemon. Returns false for srun: Slurm knows its tasks. */
bool ranks_starts(const struct report_entry *entry);

/*
 * Returns the first rank of @launcher that ended with @code; NULL if there is none.
 * @code: 0 for the first failed rank. A code that may be an answer does not count.
 * If two launchers ran at the same time, only direct children of @launcher count.
 */
const struct report_entry *ranks_first(const struct report_entry_list *timeline, const struct report_entry *launcher, int64_t code);

#endif
