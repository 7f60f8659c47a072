/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only place that makes a user's text (names, paths) safe for a terminal: no control sequence and no line break
 * gets through.
 */
#ifndef STINT_ESCAPE_H
#define STINT_ESCAPE_H

#include <stddef.h>

/*
 * Copies @text to @out. Writes these as \xNN, byte by byte: control characters (C0, DEL, and C1 in UTF-8); bytes that
 * are not valid UTF-8; invisible characters that change the direction of writing, break lines or join their neighbours;
 * and '\' itself. Other UTF-8 stays unchanged.
 *
 * @size: bytes that @out has room for, with the NUL; a text that does not fit is cut between characters, and ends in
 * "..."
 *
 * Returns @out.
 */
char *escape_text(const char *text, char *out, size_t size);

/*
 * Copies the JSON text @json and writes the same characters as \uNNNN, which means the same in JSON. A byte that is not
 * valid UTF-8 becomes U+FFFD.
 *
 * @length: set to the length of the copy; may be NULL
 *
 * Returns the copy, which the caller frees; NULL if out of memory.
 */
char *escape_json(const char *json, size_t *length);

/*
 * Returns how many columns escaped text takes on a terminal: two for a wide character, none for one that
 * combines with the character before.
 */
size_t escape_width(const char *escaped);

/*
 * Cuts @escaped in place to @columns. If it was longer, the last three are "...". Never cuts an escape sequence or a
 * character in two.
 */
void escape_cut(char *escaped, size_t columns);

#endif
