/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes users' texts, which may have any bytes, valid UTF-8 for JSON. */
#ifndef STINT_UTF8_H
#define STINT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the bytes of the UTF-8 character at @text; 0 if it is not valid, or @text is empty.
 * Overlong forms and surrogates are not valid (Unicode 15, table 3-7).
 */
size_t utf8_length(const char *text);

/* Returns whether all of @text is valid UTF-8. */
bool utf8_is_valid(const char *text);

/* Returns the largest length up to @length that splits no character of @text. Keeps bytes that are not UTF-8. */
size_t utf8_whole(const char *text, size_t length);

/* Returns a copy of @text with U+FFFD for bytes that are not valid. The caller frees it. NULL if out of memory. */
char *utf8_valid(const char *text);

/* Removes an incomplete character from the end of @text, which is valid UTF-8 that was cut. Returns @text. */
char *utf8_finish(char *text);

/* Appends formatted text to @text, which has @size bytes. Cuts only after a whole character. */
void utf8_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Appends at most @shown bytes of @name, in whole characters. Appends "..." to a cut name. */
void utf8_append_cut(char *text, size_t size, size_t shown, const char *name);

#endif
