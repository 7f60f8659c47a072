/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds memory that a job used but none of its processes held. This is files in /dev/shm and other tmpfs, or the
 * kernel's memory.
 */
#ifndef STINT_UNHELD_MEMORY_H
#define STINT_UNHELD_MEMORY_H

#include "reports/model/report.h"

/*
 * Returns the least number of bytes of used.memory_used_peak_bytes that no process held. If the kernel killed a process
 * at a limit, memory up to that limit counts as used, too. Returns NAN if it is less than half, or if it is not known,
 * for example because not all processes were counted.
 */
double unheld_memory(const struct report *report);

/*
 * Returns an upper bound of the bytes that all processes of the job on a node held at any time; NAN if not known. The
 * function looks at each tool, so call it only once for all victims.
 */
double unheld_bound(const struct report *report);

/*
 * Returns the least number of bytes that were neither held by a process nor the kernel's memory when the kernel killed
 * @victim at a limit. These are files in /dev/shm and other tmpfs. Returns NAN if it is less than half of the limit, or
 * if it is not known. @victim may be NULL.
 *
 * @bound: unheld_bound() of the victim's report
 */
double unheld_at_kill(double bound, const struct report_oom_kill *victim);

#endif
