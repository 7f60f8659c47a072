/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks for uncounted threads of all jobs, by one walk over all threads. */
#ifndef STINT_SCAN_THREADS_H
#define STINT_SCAN_THREADS_H

#include "collector/collector.h"

/* Looks for uncounted threads now. Logs a failure. */
void scan_threads(struct collector *c);

/* Schedules a scan for uncounted threads within about one second. The scan should find none. */
void scan_make_sure(struct collector *c);

/*
 * Looks for uncounted threads if the kernel programs have reported any. One walk finds all threads that were reported
 * by then. Jobs can cause many such reports, so the walks are limited to one tenth of the time. Returns true if a scan
 * is still due.
 */
bool scan_if_due(struct collector *c);

#endif
