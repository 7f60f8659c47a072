/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes users' texts valid UTF-8, because JSON requires it and such texts may have any bytes. */
#ifndef STINT_UTF8_H
#define STINT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the number of bytes of the valid UTF-8 character at the start of @text, which ends in a NUL. Returns 0 if
 * there is no valid character, or if @text is empty. Overlong forms and surrogates are not valid (Unicode 15, table
 * 3-7).
 */
size_t utf8_length(const char *text);

/* Returns whether the whole text @text is valid UTF-8, as utf8_length() defines it. */
bool utf8_is_valid(const char *text);

/*
 * Returns the largest length, at most @length, at which @text can be cut without splitting its last character. Bytes
 * that are not UTF-8 at all are kept.
 */
size_t utf8_whole(const char *text, size_t length);

/*
 * Returns a copy of @text, which the caller frees. Replaces every byte that is no part of a valid UTF-8 character by
 * U+FFFD. Returns NULL if out of memory.
 */
char *utf8_valid(const char *text);

/*
 * Removes an incomplete character from the end of @text. Use it for valid UTF-8 that was cut at any byte. Returns
 * @text.
 */
char *utf8_finish(char *text);

/*
 * Appends formatted text to @text, which has room for @size bytes. If there is too little room, cuts the result after
 * a whole character.
 *
 * @format: as for printf()
 */
void utf8_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Appends @name like utf8_append(). If @name is longer than @shown bytes, appends at most its first @shown bytes,
 * without cutting a character, and then "...".
 */
void utf8_append_cut(char *text, size_t size, size_t shown, const char *name);

#endif
