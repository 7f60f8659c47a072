/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Redraws a page repeatedly on a terminal's alternate screen. Afterwards the terminal shows its earlier content again.
 */
#ifndef STINT_SCREEN_H
#define STINT_SCREEN_H

#include <stdbool.h>

/* Returns true if standard output is a terminal that supports drawing. */
bool screen_possible(void);

/*
 * Switches to the alternate screen, hides the cursor, and turns off the echo of typed keys. screen_end() undoes all of
 * this. If this was already undone, screen_end() does nothing.
 */
void screen_begin(void);
void screen_end(void);

/*
 * Draws as many lines of @text as fit on the screen, from the top, and @status on the last line. Draws with one write,
 * so that nothing flickers.
 *
 * @text: may contain escape sequences for colour; no line is wrapped
 * @status: must not contain such sequences
 */
void screen_draw(const char *text, const char *status);

enum screen_event {
	SCREEN_TIME,    /* the wait is over, or the size of the screen has changed */
	SCREEN_END,     /* Ctrl-C, q, or another request to end the program */
	SCREEN_STOPPED, /* Ctrl-Z stopped the program. It was resumed, and draws on the screen again */
};

/* Waits for @wait_ms milliseconds, or for an event. Call this only between screen_begin() and screen_end(). */
enum screen_event screen_wait(int wait_ms);

#endif
