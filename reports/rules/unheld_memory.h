/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds memory that a job used but none of its processes held. This is files in /dev/shm and other tmpfs, or the
 * kernel's memory.
 */
#ifndef STINT_UNHELD_MEMORY_H
#define STINT_UNHELD_MEMORY_H

#include "reports/model/report.h"

/*
 * Returns how many bytes of used.memory_used_peak_bytes no process held, at least. If the kernel killed a process at a
 * limit, all memory up to that limit counts as used. Returns NAN if the result is less than half of the memory used, or
 * if it is not known, for example because not all processes were counted.
 */
double unheld_memory(const struct report *report);

/*
 * Returns an upper bound of the bytes that all processes of the job on a node held at any time; NAN if not known. Looks
 * at each tool of the report, so call it once a report, and not once a victim.
 */
double unheld_bound(const struct report *report);

/*
 * Returns how many bytes were in files in /dev/shm and other tmpfs, at least, when the kernel killed @victim at a
 * limit. No process held these bytes, and they were not the kernel's own memory. Returns NAN if they are less than half
 * of the limit, or if that is not known. @victim may be NULL.
 *
 * @bound: unheld_bound() of the victim's report
 */
double unheld_at_kill(double bound, const struct report_oom_kill *victim);

#endif
