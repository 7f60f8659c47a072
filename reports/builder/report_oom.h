/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the processes that the kernel killed because memory ran out. */
#ifndef STINT_REPORT_OOM_H
#define STINT_REPORT_OOM_H

#include <stddef.h>

#include "reports/records/merge.h"

/* Lists the processes that were killed for memory, by time. Adds a gap for each unknown value. */
void oom_put(const struct record *const records[], size_t count, const struct merge_script *script,
	     struct making *making);

/*
 * Counts each fork that was killed for memory as a failed run of its tool in @report.
 * A killed worker has failed, but forks are not counted as runs. The report must have its lists oom and tools.
 */
void oom_count_forks(struct report *report);

#endif
