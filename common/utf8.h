/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes users' texts, which may have any bytes, fit for JSON, which is UTF-8. */
#ifndef STINT_UTF8_H
#define STINT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the bytes of the valid UTF-8 character at the start of @text, which ends in a NUL
 * (Unicode 15, table 3-7: overlong forms and surrogates are not valid); 0 when there
 * is none, or @text is empty.
 */
size_t utf8_length(const char *text);

/* Returns whether @text is UTF-8 to its end, as utf8_length() takes it. */
bool utf8_is_valid(const char *text);

/*
 * Returns @length, less the bytes of a character that the first @length bytes of @text cut in two. Bytes that are
 * not UTF-8 at all count as they are.
 */
size_t utf8_whole(const char *text, size_t length);

/*
 * Returns a copy of @text in which U+FFFD replaces every byte that is no part of a valid UTF-8
 * character; to be freed; NULL when there is no memory.
 */
char *utf8_valid(const char *text);

/*
 * Removes from the end of @text, which was valid UTF-8 until it was cut, a character
 * that is no longer whole. Returns @text.
 */
char *utf8_finish(char *text);

/*
 * Appends to the text in @text, which has room for @size bytes. What has no room is cut at a whole character.
 *
 * @format: as of printf()
 */
void utf8_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Appends @name likewise: of one that is longer than @shown bytes, that many, or fewer for whole characters, and "...".
 */
void utf8_append_cut(char *text, size_t size, size_t shown, const char *name);

#endif
