/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that a job used and none of its processes had: files in /dev/shm and other tmpfs, or the kernel's. */
#ifndef STINT_UNHELD_MEMORY_H
#define STINT_UNHELD_MEMORY_H

#include "reports/model/report.h"

/*
 * Returns how many bytes of used.memory_used_peak_bytes these were at least. NAN: it was less than half, or is not known, as where not
 * all processes were counted.
 */
double unheld_memory(const struct report *report);

#endif
