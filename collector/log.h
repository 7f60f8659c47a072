/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stintd's log: standard error, which systemd keeps. */
#ifndef STINT_LOG_H
#define STINT_LOG_H

/*
 * Writes one line, with a time in front where the journal does not put one there. Of lines of one @format, which has to
 * be a constant, 50 in ten seconds are written; the others are counted, and a later line tells their number.
 */
void collector_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same without a bound: for what is lost for good, each of which is to be named. */
void collector_log_each(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* To be called once a second: tells how many lines were left out, when their time is over. */
void collector_log_tick(void);

#endif
