/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes lines to standard error, with a priority for systemd's journal. */
#ifndef STINT_LOG_LINE_H
#define STINT_LOG_LINE_H

#include <stdbool.h>
#include <syslog.h> /* the priorities: LOG_ERR, LOG_WARNING, LOG_NOTICE */

/* Returns whether standard error is systemd's journal ($JOURNAL_STREAM). */
bool log_is_journal(void);

/*
 * Writes one line that begins with @program. Cuts the formatted text at 2 KiB, and escapes it.
 *
 * @priority: for the journal only
 */
void log_line(int priority, const char *program, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
