/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the processes that the kernel's out-of-memory killer chose. */
#ifndef STINT_REPORT_OOM_H
#define STINT_REPORT_OOM_H

#include <stddef.h>

#include "reports/records/merge.h"

/* Sets the report's oom, with the victims sorted by time. Adds a gap for each unknown value. */
void oom_put(const struct record *const records[], size_t count, const struct merge_script *script,
	     struct making *making);

/*
 * For each victim that ran its parent's program, counts a failed run of its tool in @report. A killed worker has
 * failed, although forks are not runs. @report must already have oom and tools.
 */
void oom_count_forks(struct report *report);

#endif
