/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stintd's log: standard error, which systemd keeps. */
#ifndef STINT_LOG_H
#define STINT_LOG_H

#include <stdint.h>

#include "common/log_line.h"

/*
 * Writes one line, with a time in front where systemd's journal does not add one. At most 50 lines of one @format,
 * which has to be a constant, are written in ten seconds. The others are counted, and a later line says how many
 * there were. stintd(8) explains each line, and tests/tree/diagnostics holds it to that.
 *
 * @priority: LOG_ERR where a report is lost, will be lost, or no job is counted, and someone should act;
 * LOG_WARNING where a report comes late or lacks something; LOG_NOTICE for what is worth knowing
 */
void collector_log(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * The same for a line on a job of the user @uid, or on what that user has done. Of such lines of one @format, 200 are
 * written in ten seconds, and 50 of one user at most: nobody silences what is said of others. LOG_ERR is always
 * written, since it names a report that is lost.
 */
void collector_log_user(uint32_t uid, int priority, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same without a bound: for losses that are final, each of which has to be named. */
void collector_log_each(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* To be called once a second: logs how many lines were left out, when their span of time is over. */
void collector_log_tick(void);

#endif
