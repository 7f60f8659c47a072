/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes that the kernel's out-of-memory killer chose. */
#ifndef STINT_REPORT_OOM_H
#define STINT_REPORT_OOM_H

#include <stddef.h>

#include "reports/records/merge.h"

/* Sets the report's oom, the victims sorted by time. Unknown values are named in the gaps. */
void oom_put(const struct record *const records[], size_t count, const struct merge_script *script,
	     struct making *making);

/*
 * Counts each victim that ran its parent's program as a failed run of its tool in @report, which has oom and tools. A
 * killed worker has failed, although forks are not runs.
 */
void oom_count_forks(struct report *report);

#endif
