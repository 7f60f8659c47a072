/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that a job used but none of its processes held: files in /dev/shm and other tmpfs, or the kernel's memory. */
#ifndef STINT_UNHELD_MEMORY_H
#define STINT_UNHELD_MEMORY_H

#include "reports/model/report.h"

/*
 * Returns the least number of bytes of used.memory_used_peak_bytes that no process held. If the kernel killed a process at a limit,
 * that limit counts as used, too. NAN: less than half, or not known, as when not all processes were counted.
 */
double unheld_memory(const struct report *report);

/*
 * Returns an upper bound of the bytes that all processes of the job on a node held at any time; NAN: not known. It looks at each tool:
 * find it once for all victims.
 */
double unheld_bound(const struct report *report);

/*
 * Returns the least number of bytes of the reached limit that no process held when the kernel killed @victim, and that were not the
 * kernel's memory either: files in /dev/shm and other tmpfs. NAN: less than half of the limit, or not known. @victim may be NULL.
 *
 * @bound: unheld_bound() of its report
 */
double unheld_at_kill(double bound, const struct report_oom_kill *victim);

#endif
