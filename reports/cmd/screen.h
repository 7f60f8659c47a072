/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A terminal's other screen, on which a page is drawn again and again; below it comes back what stood there before. */
#ifndef STINT_SCREEN_H
#define STINT_SCREEN_H

#include <stdbool.h>

/*
 * Returns whether standard output is a terminal that can be drawn on.
 */
bool screen_possible(void);

/*
 * Turns to the other screen, hides the cursor, and keeps what is typed from being shown. screen_end() undoes all of it,
 * and does nothing where it is undone already.
 */
void screen_begin(void);
void screen_end(void);

/*
 * Draws @text from the top, as far as the screen has lines, and @status on the last one. It is one write: nothing
 * flickers.
 *
 * @text: may have sequences for colour; no line is wrapped
 * @status: without such sequences
 */
void screen_draw(const char *text, const char *status);

enum screen_event {
	SCREEN_TIME,    /* the time is over, or the screen's size has changed */
	SCREEN_END,     /* Ctrl-C, q, or another wish that the program end */
	SCREEN_STOPPED, /* Ctrl-Z; the program goes on now, and the screen is drawn on again */
};

/*
 * Waits for @wait_ms, or for an event. Between screen_begin() and screen_end() only.
 */
enum screen_event screen_wait(int wait_ms);

#endif
