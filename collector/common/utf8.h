/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of users, who may write any byte, made fit for JSON, which is UTF-8. */
#ifndef STINT_UTF8_H
#define STINT_UTF8_H

#include <stddef.h>

/*
 * Bytes of the valid UTF-8 character at the start of @text, which ends in a NUL
 * (Unicode 15, table 3-7: overlong forms and surrogates are none); 0 when there
 * is none, or @text is empty.
 */
size_t utf8_length(const char *text);

/*
 * Bytes of the first @length of @text, less those of a character that they end in the middle of. What is
 * no UTF-8 at all counts as it is.
 */
size_t utf8_whole(const char *text, size_t length);

/*
 * Returns a copy of @text with every byte that is no part of a valid UTF-8
 * character replaced by U+FFFD; to be
 * freed; NULL when there is no memory.
 */
char *utf8_valid(const char *text);

/*
 * Takes off the end of @text, which was valid UTF-8 until it was cut, the character
 * that is not whole any more. Returns @text.
 */
char *utf8_finish(char *text);

#endif
