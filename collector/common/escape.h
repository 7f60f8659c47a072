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
 * every byte that is not valid UTF-8, the characters that turn the direction
 * of writing or break lines (U+200E-F, U+2028-E, U+2066-9), and '\' itself as
 * \xNN, byte by byte. Other UTF-8 stays as it is.
 *
 * @out: filled up to @size bytes with the NUL; what does not fit is cut between characters
 *
 * Returns @out.
 */
char *escape_text(const char *text, char *out, size_t size);

/*
 * Returns the columns that escaped text takes: one a character.
 */
size_t escape_width(const char *escaped);

/*
 * Cuts @escaped in place to @columns, its last three "..." when it was longer.
 * An escape sequence or character is never cut in two.
 */
void escape_cut(char *escaped, size_t columns);

#endif
