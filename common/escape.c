/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/escape.h"

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "common/utf8.h"

/* Returns the length in bytes; 0 if the character is not valid. */
static size_t read_character(const unsigned char *at, uint32_t *code)
{
	size_t length = utf8_length((const char *)at);

	*code = length > 1 ? *at & (0x7f >> length) : *at;
	for (size_t i = 1; i < length; i++)
		*code = *code << 6 | (at[i] & 0x3f);
	return length;
}

/* These are harmful: control characters, and characters of Unicode's categories Cf, Zl and Zp. */
static bool is_harmless(uint32_t code)
{
	static const struct {
		uint32_t first;
		uint32_t last;
	} harmful[] = {
		{ 0x00, 0x1f },	    { 0x7f, 0x9f },	{ 0xad, 0xad },	    { 0x61c, 0x61c },
		{ 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
		{ 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xe0000, 0xe007f },
	};

	for (size_t i = 0; i < sizeof(harmful) / sizeof(harmful[0]); i++)
		if (code >= harmful[i].first && code <= harmful[i].last)
			return false;
	return true;
}

char *escape_text(const char *text, char *out, size_t size)
{
	static const char cut[] = "...";
	const unsigned char *at = (const unsigned char *)text;
	size_t used = 0, room_for_cut = 0;

	while (*at) {
		uint32_t code;
		size_t length = read_character(at, &code);
		bool plain = length && is_harmless(code) && code != '\\';

		if (!length)
			length = 1;
		if (used + strlen(cut) < size)
			room_for_cut = used;
		if (used + (plain ? length : 4 * length) >= size) {
			if (size > strlen(cut))
				memcpy(out + room_for_cut, cut, sizeof(cut));
			else
				out[used] = '\0';
			return out;
		}
		if (plain) {
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

static void print_json_escape(uint32_t code, FILE *out)
{
	if (code > 0xffff) {
		code -= 0x10000;
		fprintf(out, "\\u%04x\\u%04x", 0xd800 | code >> 10, 0xdc00 | (code & 0x3ff));
	} else {
		fprintf(out, "\\u%04x", code);
	}
}

/* Between the strings of a JSON text, newlines and tabs are kept. Other harmful characters become spaces. */
static void print_between(uint32_t code, FILE *out)
{
	fputc(code == '\n' || code == '\t' ? (int)code : ' ', out);
}

static const char *skip_plain(const char *at)
{
	while (*at >= ' ' && *at < 0x7f && *at != '"' && *at != '\\')
		at++;
	return at;
}

char *escape_json(const char *json, size_t *length)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *harmless = json; /* up to @at, written in one piece */
	bool string = false;

	if (!out)
		return NULL;
	for (const char *at = skip_plain(json); *at; at = skip_plain(at)) {
		uint32_t code;
		size_t bytes = read_character((const unsigned char *)at, &code);

		if (*at == '"')
			string = !string;
		if (string && *at == '\\' && (at[1] == '"' || at[1] == '\\'))
			bytes = 2; /* an escaped '"' ends no string */
		if (bytes && is_harmless(code)) {
			at += bytes;
			continue;
		}
		fwrite(harmless, 1, at - harmless, out);
		if (string)
			print_json_escape(bytes ? code : 0xfffd, out);
		else
			print_between(code, out);
		at += bytes ? bytes : 1;
		harmless = at;
	}
	fputs(harmless, out);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	if (length)
		*length = size;
	return text;
}

/* Uses the C library's Unicode table in any locale. */
static size_t character_columns(uint32_t code)
{
	static locale_t unicode;
	static bool tried;
	locale_t before;
	int columns;

	if (code < 0x80)
		return 1;
	if (!tried)
		unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	tried = true;
	if (!unicode)
		return 1;
	before = uselocale(unicode);
	columns = wcwidth((wchar_t)code);
	uselocale(before);
	return columns < 0 ? 1 : columns;
}

/* Returns the bytes of the first character or \xNN. Reads no further, because a hostile text may be very long. */
static size_t unit_length(const char *at, size_t *columns)
{
	uint32_t code;
	size_t length = read_character((const unsigned char *)at, &code);

	*columns = length ? character_columns(code) : 1;
	if (at[0] == '\\' && strnlen(at, 4) == 4)
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
	/* The dots fit: no character has more columns than bytes. */
	memcpy(at, "...", sizeof("..."));
}
