/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows the progress of a long operation in one line on standard error.
 * Prints nothing if standard error is no terminal.
 */
#ifndef STINT_PROGRESS_LINE_H
#define STINT_PROGRESS_LINE_H

/* Shows no line from now on. For processes that share a terminal, because their lines would mix. */
void progress_line_off(void);

/*
 * Begins a long operation. The line appears after half a second.
 *
 * @who: begins the line, such as "stint ingest"; must stay valid
 */
void progress_line_begin(const char *who);

/* Returns the seconds since the operation began; always above 0. */
double progress_line_seconds(void);

/*
 * Shows the line: "stint ingest: FORMAT, 45 %, 3 min left".
 * Does nothing within half a second of the last line, so call it freely.
 *
 * @share: how much of the operation is done, from 0 to 1; negative if unknown
 */
void progress_line_show(double share, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Erases the line. Call this before you write to the terminal.
 * The next progress_line_show() shows the line again.
 */
void progress_line_erase(void);

void progress_line_end(void);

#endif
