/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes durations, sizes and signals as text. common/time_text.h writes points in time. Each function that has a
 * parameter @text fills and returns @text.
 */
#ifndef STINT_UNITS_H
#define STINT_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#define DURATION_TEXT 32
#define SIZE_TEXT 32
#define JOB_HOURS_SHOWN 0.005 /* fewer core-hours or GiB-hours would be shown as 0.00 */

/* Writes a duration as "HH:MM:SS", or as "D-HH:MM:SS" if it is a day or longer, rounded to the second. */
const char *duration_text(double seconds, char text[DURATION_TEXT]);

/* Like duration_text(), but writes durations below a minute as "0.012 s", "1.23 s" and "59.1 s". */
const char *short_duration_text(double seconds, char text[DURATION_TEXT]);

/*
 * Writes a duration for a sentence, in its two largest units, such as "41 s", "1 min 5 s", "2 h" or "3 d 2 h". A
 * duration below ten seconds has the decimals of short_duration_text(), unless it is a whole number of seconds.
 */
const char *worded_duration_text(double seconds, char text[DURATION_TEXT]);

/* Writes a signal, such as "signal 9 SIGKILL". Leaves out the name if the signal has none. */
#define SIGNAL_TEXT 64
const char *signal_text(int64_t signal, char text[SIGNAL_TEXT]);

/*
 * Writes a size in binary units with one decimal, such as "5.6 GiB". A size below 1 KiB is in whole bytes, such as "17
 * B".
 */
const char *size_text(double bytes, char text[SIZE_TEXT]);

/* Like size_text(), for narrow columns, such as "5.6G", "600M", "17K" or "0". */
const char *short_size_text(double bytes, char text[SIZE_TEXT]);

/*
 * Writes a share for a sentence, such as "73 %". A small share is not rounded to 0 %, and a large share is not rounded
 * to 100 %. Examples are "0.4 %", "99.6 %", "less than 0.1 %" and "more than 99.9 %".
 */
#define PERCENT_TEXT 32
const char *percent_text(double share, char text[PERCENT_TEXT]);

/*
 * Returns true if @busy, the average number of CPUs in use, is more than @cores when rounded to one decimal. This is
 * possible if a core has two hardware threads. Then pages write "of @cpus", because "7.9 of 4 cores" is not possible.
 */
bool busy_beyond_cores(double busy, double cores, double cpus);

#endif
