/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes stintd's log to standard error, which systemd keeps. */
#ifndef STINT_LOG_H
#define STINT_LOG_H

#include <stdint.h>

#include "common/log_line.h"

/*
 * Writes a line to the log. Adds the time if systemd does not. Writes 50 lines of one @format in ten seconds, and later
 * logs how many more there were.
 *
 * @priority: LOG_ERR: a report is lost or no job is counted; LOG_WARNING: a report is late or incomplete; LOG_NOTICE:
 * anything else
 * @format: a constant that stintd(8) explains (tests/tree/diagnostics)
 */
void collector_log(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Works like collector_log(), for a line about the user @uid or a job of @uid.
 * Writes 200 lines of one @format in ten seconds, but only 50 about one user. So a user cannot suppress lines about
 * other users. Always writes a line with LOG_ERR, because such a line names a lost report.
 */
void collector_log_user(uint32_t uid, int priority, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Works like collector_log(), without a limit, because the log must name each final loss. */
void collector_log_each(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Call once a second. Logs every ten seconds how many lines were left out. */
void collector_log_tick(void);

#endif
