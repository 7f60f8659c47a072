/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the processes that the kernel killed because memory ran out. */
#ifndef STINT_REPORT_OOM_H
#define STINT_REPORT_OOM_H

#include <stddef.h>

#include "reports/records/merge.h"

/* Sets the report's list of processes that were killed for memory, sorted by time. Adds a gap for each value that is not known. */
void oom_put(const struct record *const records[], size_t count, const struct merge_script *script,
	     struct making *making);

/*
 * Counts each fork that was killed for memory as a failed run of its tool in @report, because a killed worker has
 * failed, although forks are not runs. @report must already have its lists oom and tools.
 */
void oom_count_forks(struct report *report);

#endif
