/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations, sizes and signals as text. Moments are in common/time_text.h. A function with a @text fills and returns it. */
#ifndef STINT_UNITS_H
#define STINT_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#define DURATION_TEXT 32
#define SIZE_TEXT 32
#define JOB_HOURS_SHOWN 0.005 /* fewer core-hours or GiB-hours round to 0.00 */

/*
 * Writes "HH:MM:SS", or "D-HH:MM:SS" from one day on, rounded to the second.
 */
const char *duration_text(double seconds, char text[DURATION_TEXT]);

/*
 * As duration_text(), but writes durations below a minute as "0.012 s", "1.23 s" and "59.1 s".
 */
const char *short_duration_text(double seconds, char text[DURATION_TEXT]);

/*
 * Writes a duration for a sentence, in its two largest units: "41 s", "1 min 5 s", "2 h", "3 d 2 h". Below ten seconds
 * it keeps short_duration_text()'s decimals, unless it is whole.
 */
const char *worded_duration_text(double seconds, char text[DURATION_TEXT]);

/*
 * Writes "signal 9 SIGKILL"; without the name if it has none.
 */
#define SIGNAL_TEXT 64
const char *signal_text(int64_t signal, char text[SIGNAL_TEXT]);

/*
 * Writes a size in binary units with one decimal: "5.6 GiB". Below 1 KiB it writes whole bytes: "17 B".
 */
const char *size_text(double bytes, char text[SIZE_TEXT]);

/*
 * As size_text(), for narrow columns: "5.6G", "600M", "17K", "0".
 */
const char *short_size_text(double bytes, char text[SIZE_TEXT]);

/*
 * Writes a share for a sentence: "73 %". A small share is not rounded to nothing, and a large one not to all: "0.4 %", "99.6 %",
 * "less than 0.1 %", "more than 99.9 %".
 */
#define PERCENT_TEXT 32
const char *percent_text(double share, char text[PERCENT_TEXT]);

/*
 * Returns true if @busy CPUs on average, with one decimal, are more than @cores. That is possible if a core has two hardware
 * threads. Pages then write "of @cpus", because "7.9 of 4 cores" cannot be.
 */
bool busy_beyond_cores(double busy, double cores, double cpus);

#endif
