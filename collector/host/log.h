/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stintd's log: standard error, which systemd keeps. */
#ifndef STINT_LOG_H
#define STINT_LOG_H

#include <stdint.h>

#include "common/log_line.h"

/*
 * Writes one line to the log, with the time in front if systemd's journal does not add it. Within ten seconds, at most
 * 50 lines of one @format are written. Further lines are only counted, and a later line tells their number. @format
 * must be a constant. stintd(8) explains each line, and tests/tree/diagnostics checks that.
 *
 * @priority: LOG_ERR if a report is lost, will be lost, or no job is counted, and an administrator should act;
 * LOG_WARNING if a report comes late or lacks something; LOG_NOTICE for anything worth knowing
 */
void collector_log(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Like collector_log(), for a line about a job of the user @uid, or about an action of this user. Within ten seconds,
 * it writes 200 such lines of one @format, and at most 50 about one user. So no user can suppress lines about other
 * users. LOG_ERR, which names a lost report, is always written.
 */
void collector_log_user(uint32_t uid, int priority, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Like collector_log() without a limit: for final losses, because the log must name each. */
void collector_log_each(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Call once a second. When an interval of ten seconds is over, logs how many lines were left out in it. */
void collector_log_tick(void);

#endif
