/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes durations, sizes, shares and signals as text. common/time_text.h writes points in time. Each function that
 * has a parameter @text writes to @text and returns it.
 */
#ifndef STINT_UNITS_H
#define STINT_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#define DURATION_TEXT 32
#define SIZE_TEXT 32
#define JOB_HOURS_SHOWN 0.005 /* less than this many core-hours or GiB-hours would be shown as 0.00 */

/* Writes a duration, rounded to the second, as "HH:MM:SS", or as "D-HH:MM:SS" if it is one day or longer. */
const char *duration_text(double seconds, char text[DURATION_TEXT]);

/* Like duration_text(), but writes durations below one minute as "0.012 s", "1.23 s" or "59.1 s". */
const char *short_duration_text(double seconds, char text[DURATION_TEXT]);

/*
 * Writes a duration for use in a sentence, in its two largest units, such as "41 s", "1 min 5 s", "2 h" or "3 d 2 h".
 * Writes a duration below ten seconds like short_duration_text(), unless it is a whole number of seconds.
 */
const char *worded_duration_text(double seconds, char text[DURATION_TEXT]);

/* Writes the number and the name of a signal, such as "signal 9 SIGKILL". Writes only the number if the signal has no name. */
#define SIGNAL_TEXT 64
const char *signal_text(int64_t signal, char text[SIGNAL_TEXT]);

/*
 * Writes a size in binary units with one decimal, such as "5.6 GiB". Writes a size below 1 KiB in whole bytes, such
 * as "17 B".
 */
const char *size_text(double bytes, char text[SIZE_TEXT]);

/* Like size_text(), for narrow columns, such as "5.6G", "600M", "17K" or "0". */
const char *short_size_text(double bytes, char text[SIZE_TEXT]);

/*
 * Writes a share for use in a sentence, such as "73 %". Never rounds a small share to 0 %, nor a large share to 100
 * %. So it writes "0.4 %", "99.6 %", "less than 0.1 %" or "more than 99.9 %".
 */
#define PERCENT_TEXT 32
const char *percent_text(double share, char text[PERCENT_TEXT]);

/*
 * Returns true if @busy, the average number of CPUs in use, is more than @cores even when rounded to one decimal.
 * This is possible if a core has two hardware threads. In that case, pages write "of @cpus", because "7.9 of 4 cores"
 * makes no sense.
 */
bool busy_beyond_cores(double busy, double cores, double cpus);

#endif
