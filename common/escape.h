/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a user's text (names, paths) safe for a terminal, so that no control sequence and no line break gets through.
 * No other code does this.
 */
#ifndef STINT_ESCAPE_H
#define STINT_ESCAPE_H

#include <stddef.h>

/*
 * Copies @text to @out. Writes the bytes of the following as \xNN, and leaves all other UTF-8 unchanged:
 * - control characters (C0, DEL, and C1 in UTF-8)
 * - bytes that are not valid UTF-8
 * - invisible characters that change the direction of writing, break lines or join their neighbours
 * - the backslash itself
 *
 * @size: room in @out in bytes, including the NUL. If the text does not fit, it is cut between two characters, and
 * ends in "..."
 *
 * Returns @out.
 */
char *escape_text(const char *text, char *out, size_t size);

/*
 * Copies the JSON text @json. If escape_text() would write a character as \xNN, writes that character as \uNNNN,
 * which means the same in JSON. Writes U+FFFD for a byte that is not valid UTF-8.
 *
 * @length: set to the length of the copy; may be NULL
 *
 * Returns the copy, which the caller frees; NULL if out of memory.
 */
char *escape_json(const char *json, size_t *length);

/*
 * Returns how many columns of a terminal the text @escaped needs. A wide character needs two columns. A character
 * that combines with the previous character needs none.
 */
size_t escape_width(const char *escaped);

/*
 * Shortens @escaped in place, so that it needs at most @columns columns. If it needed more, the last three columns
 * become "...". Never cuts an escape sequence or a character in two.
 */
void escape_cut(char *escaped, size_t columns);

#endif
