/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines on standard error that systemd's journal keeps with a priority. */
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
 * Writes one line of @program. If standard error is the journal, sd-daemon(3)'s mark of the @priority comes first,
 * which the journal removes. The formatted text is escaped, and cut at 2 KiB.
 */
void log_line(int priority, const char *program, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
