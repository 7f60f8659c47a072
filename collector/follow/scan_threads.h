/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks for threads of all jobs that are not counted yet, with one walk over all threads.
 */
#ifndef STINT_SCAN_THREADS_H
#define STINT_SCAN_THREADS_H

#include "collector/collector.h"

/* Looks for uncounted threads now. Logs the error if this fails. */
void scan_threads(struct collector *c);

/* Schedules a scan for uncounted threads within about one second. This scan only makes sure that there are none. */
void scan_make_sure(struct collector *c);

/*
 * Looks for uncounted threads if the kernel programs have reported any, or if scan_make_sure() planned a scan for now.
 * One walk finds all threads that were reported before it. Jobs can cause many such reports, so the walks are limited
 * to one tenth of the time. Returns true if threads were reported but the scan must wait.
 */
bool scan_if_due(struct collector *c);

#endif
