/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/utf8.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd";

static int in(unsigned char c, unsigned char first, unsigned char last)
{
	return c >= first && c <= last;
}

size_t utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned char low = 0x80;
	unsigned char high = 0xbf;
	size_t length;

	if (s[0] < 0x80)
		return s[0] != '\0';
	if (in(s[0], 0xc2, 0xdf))
		length = 2;
	else if (in(s[0], 0xe0, 0xef))
		length = 3;
	else if (in(s[0], 0xf0, 0xf4))
		length = 4;
	else
		return 0;
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf4)
		high = 0x8f;
	if (!in(s[1], low, high))
		return 0;
	for (size_t i = 2; i < length; i++)
		if (!in(s[i], 0x80, 0xbf))
			return 0;
	return length;
}

/* Looks at whole groups of eight bytes. */
static size_t ascii_length(const char *text)
{
	const char *at = text;
	uint64_t eight;

	for (const char *end = text + (strlen(text) & ~(size_t)7); at < end; at += 8) {
		memcpy(&eight, at, sizeof(eight));
		if (eight & UINT64_C(0x8080808080808080))
			break;
	}
	return (size_t)(at - text);
}

bool utf8_is_valid(const char *text)
{
	text += ascii_length(text);
	while (*text) {
		size_t length = (unsigned char)*text < 0x80 ? 1 : utf8_length(text);

		if (!length)
			return false;
		text += length;
	}
	return true;
}

/* Returns 1 if no character begins with @first. */
static size_t announced_length(unsigned char first)
{
	if (in(first, 0xc2, 0xdf))
		return 2;
	if (in(first, 0xe0, 0xef))
		return 3;
	return in(first, 0xf0, 0xf4) ? 4 : 1;
}

size_t utf8_whole(const char *text, size_t length)
{
	for (size_t back = 1; back < 4 && back <= length; back++) {
		unsigned char c = text[length - back];

		if (!in(c, 0x80, 0xbf))
			return announced_length(c) > back ? length - back : length;
	}
	return length;
}

char *utf8_valid(const char *text)
{
	char *copy = malloc(strlen(text) * strlen(replacement) + 1);
	char *to = copy;

	if (!copy)
		return NULL;
	while (*text) {
		size_t length = utf8_length(text);

		if (length) {
			memcpy(to, text, length);
			to += length;
			text += length;
		} else {
			memcpy(to, replacement, strlen(replacement));
			to += strlen(replacement);
			text++;
		}
	}
	*to = '\0';
	return copy;
}

char *utf8_finish(char *text)
{
	text[utf8_whole(text, strlen(text))] = '\0';
	return text;
}

void utf8_append(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
	utf8_finish(text);
}

void utf8_append_cut(char *text, size_t size, size_t shown, const char *name)
{
	size_t length = strnlen(name, shown);

	utf8_append(text, size, "%.*s%s", (int)utf8_whole(name, length), name, name[length] ? "..." : "");
}
