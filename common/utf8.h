/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes users' texts, which may have any bytes, valid for JSON, which is UTF-8. */
#ifndef STINT_UTF8_H
#define STINT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the bytes of the valid UTF-8 character at the start of @text, which ends in a NUL (Unicode 15, table 3-7:
 * overlong forms and surrogates are not valid); 0 if there is none, or @text is empty.
 */
size_t utf8_length(const char *text);

/* Returns whether @text is UTF-8 to its end, by utf8_length(). */
bool utf8_is_valid(const char *text);

/*
 * Returns @length, less the bytes of a character that the first @length bytes of @text cut in two. Bytes that are not
 * UTF-8 at all count fully.
 */
size_t utf8_whole(const char *text, size_t length);

/*
 * Returns a copy of @text in which U+FFFD replaces every byte that is no part of a valid UTF-8 character; the caller
 * frees it. NULL if out of memory.
 */
char *utf8_valid(const char *text);

/* Removes an incomplete character from the end of @text, which was valid UTF-8 until it was cut. Returns @text. */
char *utf8_finish(char *text);

/*
 * Appends to the text in @text, which has room for @size bytes. Cuts at a whole character if there is not enough room.
 *
 * @format: as of printf()
 */
void utf8_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Appends @name likewise; if it is longer than @shown bytes, that many, or fewer for whole characters, and "...". */
void utf8_append_cut(char *text, size_t size, size_t shown, const char *name);

#endif
