/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one place where text that a user chose (names, paths) is made fit for a
 * terminal: no control sequence and no line break comes through it.
 */
#ifndef STINT_ESCAPE_H
#define STINT_ESCAPE_H

#include <stddef.h>

/*
 * Writes @text with every control character (C0, DEL, and C1 as UTF-8 has it),
 * every byte that is not valid UTF-8, the characters that cannot be seen and turn the
 * direction of writing, break lines or join what stands around them, and '\' itself as
 * \xNN, byte by byte. Other UTF-8 stays as it is.
 *
 * @out: filled up to @size bytes with the NUL; what does not fit is cut between characters, and ends in "..."
 *
 * Returns @out.
 */
char *escape_text(const char *text, char *out, size_t size);

/*
 * Returns a copy of the JSON text @json in which the same characters, and bytes that are not valid UTF-8
 * (as U+FFFD), are written as \uNNNN, which means the same. To be freed; NULL when there is no memory.
 *
 * @length: set to its length; may be NULL
 */
char *escape_json(const char *json, size_t *length);

/*
 * Returns the columns that escaped text takes on a terminal: two for a wide character, none for one that is
 * put onto the one before.
 */
size_t escape_width(const char *escaped);

/*
 * Cuts @escaped in place to @columns, its last three "..." when it was longer.
 * An escape sequence or character is never cut in two.
 */
void escape_cut(char *escaped, size_t columns);

#endif
