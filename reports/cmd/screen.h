/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Redraws a page on the terminal's alternate screen. At the end, the earlier screen returns. */
#ifndef STINT_SCREEN_H
#define STINT_SCREEN_H

#include <stdbool.h>

/* Returns whether standard output is a terminal on which screen_draw() can draw. */
bool screen_possible(void);

/*
 * screen_begin() switches to the alternate screen, hides the cursor, and turns off the echo of keys.
 * screen_end() undoes this. It does nothing if screen_begin() was not called, or if the screen has already ended.
 */
void screen_begin(void);
void screen_end(void);

/*
 * Draws the lines of @text that fit, and @status on the last line.
 * Writes all with one write(), so that the screen does not flicker.
 *
 * @text: may contain escape sequences for colour; long lines are not wrapped
 * @status: must not contain escape sequences
 */
void screen_draw(const char *text, const char *status);

enum screen_event {
	SCREEN_TIME,    /* the time is over, or the screen's size has changed */
	SCREEN_END,     /* Ctrl-C, q, or a signal that ends the program */
	SCREEN_STOPPED, /* Ctrl-Z stopped the program; it runs again, on the alternate screen */
};

/*
 * Waits @wait_ms milliseconds, or until an event.
 * Call it between screen_begin() and screen_end().
 */
enum screen_event screen_wait(int wait_ms);

#endif
