/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks for uncounted threads of all jobs, by one walk over all threads. */
#ifndef STINT_SCAN_THREADS_H
#define STINT_SCAN_THREADS_H

#include "collector/collector.h"

/* Looks for them now. A failure is logged. */
void scan_threads(struct collector *c);

/* Schedules a scan for uncounted threads within a second or so; there should be none. */
void scan_make_sure(struct collector *c);

/*
 * Looks for them if the kernel programs have reported any. One walk finds all that were reported by then. Jobs can
 * cause many such reports, so the walks take at most a tenth of the time. Returns whether a scan is still due.
 */
bool scan_if_due(struct collector *c);

#endif
