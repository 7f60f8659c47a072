/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and compares the ends of names and texts. */
#ifndef STINT_SUFFIX_H
#define STINT_SUFFIX_H

#include <stdbool.h>
#include <string.h>

/* Returns the last @length bytes of @text, or all of a shorter text. */
static inline const char *text_end(const char *text, size_t length)
{
	size_t whole = strlen(text);

	return whole > length ? text + whole - length : text;
}

/* Returns false if @text is NULL. */
static inline bool has_suffix(const char *text, const char *suffix)
{
	return text && strcmp(text_end(text, strlen(suffix)), suffix) == 0;
}

#endif
