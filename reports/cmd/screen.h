/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Redraws a page again and again on the terminal's alternate screen. When the program ends, the terminal shows its
 * earlier content again.
 */
#ifndef STINT_SCREEN_H
#define STINT_SCREEN_H

#include <stdbool.h>

/* Returns whether standard output is a terminal on which screen_draw() can draw. */
bool screen_possible(void);

/*
 * screen_begin() switches to the alternate screen, hides the cursor, and turns off the echo of typed keys.
 * screen_end() undoes all of this. It does nothing if screen_begin() was not called, or if everything was already
 * undone.
 */
void screen_begin(void);
void screen_end(void);

/*
 * Draws the first lines of @text that fit on the screen, and draws @status on the last line. Writes everything
 * with one write(), so that the screen does not flicker.
 *
 * @text: may contain escape sequences for colour; its lines are not wrapped
 * @status: must not contain escape sequences
 */
void screen_draw(const char *text, const char *status);

enum screen_event {
	SCREEN_TIME,    /* the time is over, or the size of the screen has changed */
	SCREEN_END,     /* the user typed Ctrl-C or q, or something else asked the program to end */
	SCREEN_STOPPED, /* Ctrl-Z stopped the program. Now it runs again, and has the alternate screen again */
};

/*
 * Waits until @wait_ms milliseconds are over, or until an event comes. Call it only between screen_begin() and
 * screen_end().
 */
enum screen_event screen_wait(int wait_ms);

#endif
