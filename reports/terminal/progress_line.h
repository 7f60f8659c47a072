/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows on a terminal how much of a long operation is done. It uses one line on standard error, which it writes again
 * and again in the same place, and erases at the end. There is one such line, because a process has one terminal. If
 * standard error is no terminal, none of these functions prints anything.
 */
#ifndef STINT_PROGRESS_LINE_H
#define STINT_PROGRESS_LINE_H

/*
 * Shows no line from now on. Call this in a process that shares its terminal with other processes that could show one,
 * too.
 */
void progress_line_off(void);

/*
 * Begins a long operation. Its line appears only if the operation takes longer than half a second.
 *
 * @who: begins the line, such as "stint ingest"; must stay valid
 */
void progress_line_begin(const char *who);

/* Returns for how many seconds the operation has run; at least a little more than 0. */
double progress_line_seconds(void);

/*
 * Shows the line: "stint ingest: FORMAT, 45 %, 3 min left". Does nothing if the line was shown in the last half second,
 * so callers may call this function often.
 *
 * @share: how much of the operation is done, from 0 to 1; less than 0 if that is not known
 */
void progress_line_show(double share, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Erases the line. Call this function before you write anything else to the terminal. The next progress_line_show()
 * shows the line again.
 */
void progress_line_erase(void);

/* Erases the line, and ends the operation. */
void progress_line_end(void);

#endif
