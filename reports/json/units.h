/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes durations, sizes, shares and signals.
 * Each function with a parameter @text writes there, and returns it.
 */
#ifndef STINT_UNITS_H
#define STINT_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#define DURATION_TEXT 32
#define SIZE_TEXT 32
#define JOB_HOURS_SHOWN 0.005 /* fewer core-hours or GiB-hours would be shown as 0.00 */

/* Writes whole seconds as "HH:MM:SS", or as "D-HH:MM:SS" from one day on. */
const char *duration_text(double seconds, char text[DURATION_TEXT]);

/* Writes less than a minute as "0.012 s", "1.23 s" or "59.1 s", and a longer time as duration_text() does. */
const char *short_duration_text(double seconds, char text[DURATION_TEXT]);

/*
 * Writes a duration for a sentence: "41 s", "1 min 5 s", "2 h" or "3 d 2 h".
 * Less than ten seconds may have decimals.
 */
const char *worded_duration_text(double seconds, char text[DURATION_TEXT]);

/* Writes a signal, such as "signal 9 SIGKILL"; only the number if it has no name. */
#define SIGNAL_TEXT 64
const char *signal_text(int64_t signal, char text[SIGNAL_TEXT]);

/* Writes a size, such as "5.6 GiB", or "17 B" below 1 KiB. */
const char *size_text(double bytes, char text[SIZE_TEXT]);

/* Writes a size for narrow columns, such as "5.6G", "600M", "17K" or "0". */
const char *short_size_text(double bytes, char text[SIZE_TEXT]);

/*
 * Writes a share for a sentence, such as "73 %".
 * A small share is never rounded to 0 %, a large share never to 100 %:
 * "0.4 %", "99.6 %", "less than 0.1 %", "more than 99.9 %".
 */
#define PERCENT_TEXT 32
const char *percent_text(double share, char text[PERCENT_TEXT]);

/*
 * Returns whether more CPUs were busy than there are cores, after rounding to one decimal.
 * This can happen if a core has two hardware threads. Pages then write "of @cpus".
 */
bool busy_beyond_cores(double busy, double cores, double cpus);

#endif
