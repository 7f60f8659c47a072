/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes users' texts valid UTF-8, which JSON requires. Such texts may have any bytes. */
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

/* Returns whether @text is valid UTF-8 to its end, in the sense of utf8_length(). */
bool utf8_is_valid(const char *text);

/*
 * Returns the length of the first @length bytes of @text without a character at their end that is cut in two. Bytes
 * that are not UTF-8 at all count fully.
 */
size_t utf8_whole(const char *text, size_t length);

/*
 * Returns a copy of @text, which the caller frees. In the copy, U+FFFD replaces every byte that is no part of a valid
 * UTF-8 character. NULL if out of memory.
 */
char *utf8_valid(const char *text);

/*
 * Removes an incomplete character from the end of @text. Use it for a text that was valid UTF-8 until it was cut.
 * Returns @text.
 */
char *utf8_finish(char *text);

/*
 * Appends formatted text to @text, which has room for @size bytes. If there is not enough room, cuts the result after a
 * whole character.
 *
 * @format: as for printf()
 */
void utf8_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Appends @name like utf8_append(). If @name is longer than @shown bytes, appends only its first @shown bytes, or fewer
 * if that would cut a character, and "...".
 */
void utf8_append_cut(char *text, size_t size, size_t shown, const char *name);

#endif
