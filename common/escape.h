/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a user's text (names, paths) safe for a terminal. No other code does this. No control sequence and no line
 * break gets through.
 */
#ifndef STINT_ESCAPE_H
#define STINT_ESCAPE_H

#include <stddef.h>

/*
 * Copies @text to @out. Writes these as \xNN, byte by byte: control characters (C0, DEL, and C1 in UTF-8); bytes that
 * are not valid UTF-8; invisible characters that change the direction of writing, break lines or join their neighbours;
 * and '\' itself. Other UTF-8 remains unchanged.
 *
 * @size: room in @out in bytes, including the NUL; if the text does not fit, it is cut between characters, and ends in
 * "..."
 *
 * Returns @out.
 */
char *escape_text(const char *text, char *out, size_t size);

/*
 * Copies the JSON text @json. Writes the characters that escape_text() would write as \xNN as \uNNNN, which means the
 * same in JSON. A byte that is not valid UTF-8 becomes U+FFFD.
 *
 * @length: set to the length of the copy; may be NULL
 *
 * Returns the copy, which the caller frees; NULL if out of memory.
 */
char *escape_json(const char *json, size_t *length);

/*
 * Returns how many columns the escaped text needs on a terminal. A wide character needs two columns. A character that
 * combines with the previous character needs none.
 */
size_t escape_width(const char *escaped);

/*
 * Cuts @escaped in place to @columns. If it was longer, its last three columns become "...". Never cuts an escape
 * sequence or a character in two.
 */
void escape_cut(char *escaped, size_t columns);

#endif
