/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stintd's log: standard error, which systemd keeps. */
#ifndef STINT_LOG_H
#define STINT_LOG_H

/* Writes one line, with a time in front where the journal does not put one there. */
void collector_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
