/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/common/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "collector/common/utf8.h"

/* The bytes of the valid UTF-8 character at @at, or 0. *@code is its code point. */
static size_t read_character(const unsigned char *at, uint32_t *code)
{
	size_t length = utf8_length((const char *)at);

	*code = length > 1 ? *at & (0x7f >> length) : *at;
	for (size_t i = 1; i < length; i++)
		*code = *code << 6 | (at[i] & 0x3f);
	return length;
}

static bool is_harmless(uint32_t code)
{
	if (code < 0x20 || code == '\\' || (code >= 0x7f && code < 0xa0))
		return false;
	/* direction marks and line separators: they rearrange what stands around them */
	return code != 0x061c && code != 0x200e && code != 0x200f && !(code >= 0x2028 && code <= 0x202e) &&
	       !(code >= 0x2066 && code <= 0x2069);
}

char *escape_text(const char *text, char *out, size_t size)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t used = 0;

	while (*at) {
		uint32_t code;
		size_t length = read_character(at, &code);
		bool harmless = length && is_harmless(code);

		if (!length)
			length = 1;
		if (used + (harmless ? length : 4 * length) >= size)
			break;
		if (harmless) {
			memcpy(out + used, at, length);
			used += length;
		} else {
			for (size_t i = 0; i < length; i++, used += 4)
				snprintf(out + used, 5, "\\x%02x", at[i]);
		}
		at += length;
	}
	out[used] = '\0';
	return out;
}

/* The bytes at @at that must stay together: a character, or one \xNN. */
static size_t unit_length(const char *at, size_t *columns)
{
	uint32_t code;
	size_t length = read_character((const unsigned char *)at, &code);

	*columns = 1;
	if (at[0] == '\\' && strlen(at) >= 4)
		return *columns = 4;
	return length ? length : 1;
}

size_t escape_width(const char *escaped)
{
	size_t width = 0, columns;

	for (const char *at = escaped; *at; width += columns)
		at += unit_length(at, &columns);
	return width;
}

void escape_cut(char *escaped, size_t columns)
{
	size_t width = 0, unit;
	char *at = escaped;

	if (escape_width(escaped) <= columns)
		return;
	if (columns < 3) {
		*escaped = '\0';
		return;
	}
	for (;;) {
		size_t length = unit_length(at, &unit);

		if (width + unit > columns - 3)
			break;
		at += length;
		width += unit;
	}
	memcpy(at, "...", sizeof("...")); /* more than three columns are left, each a byte at least */
}
