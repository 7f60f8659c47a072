/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds memory that no process of the job held: files in /dev/shm and other tmpfs, or the kernel's memory. */
#ifndef STINT_UNHELD_MEMORY_H
#define STINT_UNHELD_MEMORY_H

#include "reports/model/report.h"

/*
 * Returns the least number of bytes of used.memory_used_peak_bytes that no process held.
 * After a kill at a limit, all memory up to the limit counts as used.
 * Returns NAN if the number is less than half of the used memory, or not known.
 */
double unheld_memory(const struct report *report);

/*
 * Returns the most bytes that all processes of a node can have held; NAN if unknown.
 * Reads all tools: call it once for a report.
 */
double unheld_bound(const struct report *report);

/*
 * Returns the least number of bytes in files of tmpfs (/dev/shm) when the kernel killed @victim at a limit.
 * Returns NAN if the number is less than half of the limit, or not known.
 * @bound: unheld_bound() of the report. @victim may be NULL.
 */
double unheld_at_kill(double bound, const struct report_oom_kill *victim);

#endif
