/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes stintd's log to standard error, which systemd keeps.
 */
#ifndef STINT_LOG_H
#define STINT_LOG_H

#include <stdint.h>

#include "common/log_line.h"

/*
 * Writes one line to the log. Puts the time in front if systemd's journal does not add it. Writes at most 50 lines of
 * the same @format within ten seconds. Further lines are only counted, and a later line tells how many there were.
 * @format must be a constant. stintd(8) explains each line, and tests/tree/diagnostics checks that.
 *
 * @priority: LOG_ERR if a report is lost or will be lost, or if no job is counted, so an administrator should act;
 * LOG_WARNING if a report comes late or lacks something; LOG_NOTICE for anything else worth knowing
 */
void collector_log(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Works like collector_log(), for a line about a job of the user @uid, or about something that this user did. Writes at
 * most 200 such lines of the same @format within ten seconds, and at most 50 of them about one user, so no user can
 * suppress lines about other users. Always writes a line with LOG_ERR, because it names a lost report.
 */
void collector_log_user(uint32_t uid, int priority, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Works like collector_log(), but without a limit. Use it for final losses, because the log must name each of them. */
void collector_log_each(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Call once a second. At the end of each ten seconds, logs how many lines were left out in this time. */
void collector_log_tick(void);

#endif
