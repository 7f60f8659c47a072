/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows on a terminal how far a long work is: one line on standard error, which is written again in its place, and
 * erased at the end. There is one such line, because a process has one terminal. If standard error is no terminal, none
 * of these functions prints anything.
 */
#ifndef STINT_PROGRESS_LINE_H
#define STINT_PROGRESS_LINE_H

/* From now on, no line is shown. For a process that shares its terminal with others that do the same. */
void progress_line_off(void);

/*
 * Begins a work. Its line comes only if it takes longer than half a second.
 *
 * @who: begins the line, such as "stint ingest"; must stay valid
 */
void progress_line_begin(const char *who);

/* Returns how many seconds the work has taken; at least a little more than 0. */
double progress_line_seconds(void);

/*
 * Shows the line: "stint ingest: FORMAT, 45 %, 3 min left". Does nothing if it was shown in the last half second, so it
 * may be called often.
 *
 * @share: how much of the work is done, from 0 to 1; less than 0 if that is not known
 */
void progress_line_show(double share, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Erases the line. Call it before anything else is written to the terminal. The next progress_line_show() shows it again. */
void progress_line_erase(void);

/* Erases the line, and ends the work. */
void progress_line_end(void);

#endif
