/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stintd's log: standard error, which systemd keeps. */
#ifndef STINT_LOG_H
#define STINT_LOG_H

#include <stdint.h>

#include "common/log_line.h"

/*
 * Writes one line, with a time in front if systemd's journal does not add one. In ten seconds it writes at most 50
 * lines of one @format, which must be a constant. It counts the others, and a later line says how many there were.
 * stintd(8) explains each line, and tests/tree/diagnostics checks that.
 *
 * @priority: LOG_ERR if a report is lost, will be lost, or no job is counted, and someone should act; LOG_WARNING if a
 * report comes late or lacks something; LOG_NOTICE for anything worth knowing
 */
void collector_log(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * The same for a line about a job of the user @uid, or about what that user has done. In ten seconds it writes 200
 * such lines of one @format, and at most 50 about one user, so no user silences lines about others. It always writes
 * LOG_ERR, which names a lost report.
 */
void collector_log_user(uint32_t uid, int priority, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same without a limit: for final losses, each of which must be named. */
void collector_log_each(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Call once a second. Logs how many lines were left out, when their ten seconds are over. */
void collector_log_tick(void);

#endif
