/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that a job used but none of its processes held: files in /dev/shm and other tmpfs, or the kernel's memory. */
#ifndef STINT_UNHELD_MEMORY_H
#define STINT_UNHELD_MEMORY_H

#include "reports/model/report.h"

/*
 * Returns the least number of bytes of used.memory_used_peak_bytes that no process held. NAN: less than half, or not known, as when
 * not all processes were counted.
 */
double unheld_memory(const struct report *report);

#endif
