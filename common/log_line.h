/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes lines to standard error. systemd's journal keeps them with a priority. */
#ifndef STINT_LOG_LINE_H
#define STINT_LOG_LINE_H

#include <stdbool.h>
#include <syslog.h> /* the priorities: LOG_ERR, LOG_WARNING, LOG_NOTICE */

/*
 * Returns whether standard error leads to systemd's journal, by comparing it with $JOURNAL_STREAM. Returns false if
 * standard error was redirected.
 */
bool log_is_journal(void);

/*
 * Writes one line that begins with @program. If standard error is the journal, puts sd-daemon(3)'s mark of the
 * @priority before the line, and the journal removes that mark. Cuts the formatted text at 2 KiB, and escapes it.
 */
void log_line(int priority, const char *program, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
