/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes lines to standard error. systemd's journal keeps them with a priority. */
#ifndef STINT_LOG_LINE_H
#define STINT_LOG_LINE_H

#include <stdbool.h>
#include <syslog.h> /* the priorities: LOG_ERR, LOG_WARNING, LOG_NOTICE */

/*
 * Returns whether standard error leads to systemd's journal, according to $JOURNAL_STREAM. A redirection leads
 * elsewhere.
 */
bool log_is_journal(void);

/*
 * Writes one line for @program. If standard error is the journal, the line begins with sd-daemon(3)'s mark of the
 * @priority, which the journal removes. The formatted text is cut at 2 KiB and escaped.
 */
void log_line(int priority, const char *program, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
