/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a user's text safe for a terminal: no control sequence or line break gets through.
 * Only this file escapes texts for terminals.
 */
#ifndef STINT_ESCAPE_H
#define STINT_ESCAPE_H

#include <stddef.h>

/*
 * Copies @text to @out. Writes these characters as \xNN, byte by byte:
 * - control characters (C0, DEL, and C1 in UTF-8)
 * - bytes that are not valid UTF-8
 * - invisible characters that change the direction of writing, break lines or join their neighbours
 * - the backslash
 *
 * @size: room in @out in bytes, with the NUL. A text that does not fit ends in "...", after a whole character.
 *
 * Returns @out.
 */
char *escape_text(const char *text, char *out, size_t size);

/*
 * Copies the JSON text @json. Writes \uNNNN for characters that escape_text() escapes.
 * Writes U+FFFD for a byte that is not valid UTF-8.
 *
 * @length: set to the copy's length; may be NULL
 *
 * Returns the copy, which the caller frees; NULL if out of memory.
 */
char *escape_json(const char *json, size_t *length);

/* Returns the terminal columns of @escaped: two for a wide character, none for a combining one. */
size_t escape_width(const char *escaped);

/*
 * Shortens @escaped in place to @columns columns. A shortened text ends in "...".
 * Never cuts an escape sequence or a character.
 */
void escape_cut(char *escaped, size_t columns);

#endif
