/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks for uncounted threads of all jobs, in one walk over all threads. */
#ifndef STINT_SCAN_THREADS_H
#define STINT_SCAN_THREADS_H

#include "collector/collector.h"

/* Scans now. Logs an error. */
void scan_threads(struct collector *c);

/* Schedules a scan within about a second. */
void scan_make_sure(struct collector *c);

/*
 * Scans for uncounted threads that the kernel programs reported, or that scan_make_sure() is looking for. Scans may use
 * a tenth of the time, because jobs can cause many reports.
 * Returns true if threads were reported but the scan must wait.
 */
bool scan_if_due(struct collector *c);

#endif
