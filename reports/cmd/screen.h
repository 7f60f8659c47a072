/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A terminal's alternate screen, on which a page is redrawn repeatedly. Afterwards the terminal shows its earlier content again. */
#ifndef STINT_SCREEN_H
#define STINT_SCREEN_H

#include <stdbool.h>

/* Returns whether standard output is a terminal that supports drawing. */
bool screen_possible(void);

/*
 * Switches to the alternate screen, hides the cursor, and turns off the echo of typed keys. screen_end() undoes all of
 * it, and does nothing if it is undone already.
 */
void screen_begin(void);
void screen_end(void);

/*
 * Draws @text from the top, as many lines as fit on the screen, and @status on the last line. Uses one write, so that
 * nothing flickers.
 *
 * @text: may contain escape sequences for colour; no line is wrapped
 * @status: without such sequences
 */
void screen_draw(const char *text, const char *status);

enum screen_event {
	SCREEN_TIME,    /* the time is over, or the screen's size has changed */
	SCREEN_END,     /* Ctrl-C, q, or another request to end the program */
	SCREEN_STOPPED, /* Ctrl-Z; the program was resumed, and the screen is drawn on again */
};

/* Waits for @wait_ms, or for an event. Call it only between screen_begin() and screen_end(). */
enum screen_event screen_wait(int wait_ms);

#endif
