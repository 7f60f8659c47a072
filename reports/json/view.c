/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/view.h"

#include <string.h>

#define DEPTH_MAX 16
#define REPLACEMENT 0xfffd /* what stands for half of a pair of surrogates */

struct reader {
	char *at;
	struct view *next;
	int depth;
};

size_t view_room(size_t len)
{
	/* each value takes two bytes, but for lists that are not closed */
	return len / 2 + DEPTH_MAX + 2;
}

static void skip_space(struct reader *reader)
{
	while (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\t' || *reader->at == '\r')
		reader->at++;
}

static bool skip_word(struct reader *reader, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(reader->at, word, length) != 0)
		return false;
	reader->at += length;
	return true;
}

/* ---- numbers ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool skip_digits(struct reader *reader)
{
	const char *from = reader->at;

	while (is_digit(*reader->at))
		reader->at++;
	return reader->at > from;
}

/* One that is too large for int64_t is the largest or the smallest there is. */
static bool read_whole(struct reader *reader, bool negative, int64_t *number)
{
	const char *from = reader->at;
	uint64_t value = 0;

	for (; is_digit(*reader->at); reader->at++)
		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *reader->at - '0', &value))
			value = UINT64_MAX; /* and no less with what follows */
	if (reader->at == from || (*from == '0' && reader->at > from + 1))
		return false;
	if (value > INT64_MAX)
		*number = negative ? INT64_MIN : INT64_MAX;
	else
		*number = negative ? -(int64_t)value : (int64_t)value;
	return true;
}

static bool read_number(struct reader *reader, struct view *value)
{
	bool negative = *reader->at == '-';

	reader->at += negative;
	value->type = VIEW_INT;
	if (!read_whole(reader, negative, &value->number))
		return false;
	if (*reader->at == '.') {
		value->type = VIEW_REAL;
		reader->at++;
		if (!skip_digits(reader))
			return false;
	}
	if (*reader->at != 'e' && *reader->at != 'E')
		return true;
	value->type = VIEW_REAL;
	reader->at++;
	if (*reader->at == '+' || *reader->at == '-')
		reader->at++;
	return skip_digits(reader);
}

/* ---- texts ---- */

static int hex_digit(char c)
{
	return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads four digits. Returns -1 where there are none. */
static int32_t read_hex(const char *at)
{
	int32_t code = 0;

	for (int i = 0; i < 4; i++) {
		if (hex_digit(at[i]) < 0)
			return -1;
		code = code << 4 | hex_digit(at[i]);
	}
	return code;
}

/* Writes the character, which takes no more bytes than "\uXXXX". */
static char *put_code(char *to, int32_t code)
{
	if (code < 0x80) {
		*to++ = (char)code;
		return to;
	}
	if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
	} else {
		if (code < 0x10000) {
			*to++ = (char)(0xe0 | code >> 12);
		} else {
			*to++ = (char)(0xf0 | code >> 18);
			*to++ = (char)(0x80 | (code >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (code & 0x3f));
	return to;
}

/* Reads what follows "\u". */
static bool read_code(struct reader *reader, char **to)
{
	int32_t code = read_hex(reader->at), low;

	if (code < 0)
		return false;
	reader->at += 4;
	if (code >= 0xd800 && code < 0xdc00 && reader->at[0] == '\\' && reader->at[1] == 'u' &&
	    (low = read_hex(reader->at + 2)) >= 0xdc00 && low < 0xe000) {
		reader->at += 6;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	*to = put_code(*to, code >= 0xd800 && code < 0xe000 ? REPLACEMENT : code);
	return true;
}

static bool read_escape(struct reader *reader, char **to)
{
	static const char marks[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
	const char *mark;

	if (*reader->at == 'u') {
		reader->at++;
		return read_code(reader, to);
	}
	mark = *reader->at ? strchr(marks, *reader->at) : NULL;
	if (!mark)
		return false;
	reader->at++;
	*(*to)++ = plain[mark - marks];
	return true;
}

/* @reader is behind the first quote. */
static bool read_text(struct reader *reader, struct view *value)
{
	char *from = reader->at, *to = from;

	while (*reader->at != '"' && *reader->at != '\\' && (unsigned char)*reader->at >= ' ')
		reader->at++;
	to = reader->at;
	while (*reader->at != '"') {
		if ((unsigned char)*reader->at < ' ')
			return false;
		if (*reader->at != '\\') {
			*to++ = *reader->at++;
			continue;
		}
		reader->at++;
		if (!read_escape(reader, &to))
			return false;
	}
	reader->at++;
	*to = '\0';
	value->type = VIEW_TEXT;
	value->text = from;
	value->number = to - from;
	return true;
}

/* ---- lists and objects ---- */

static bool read_value(struct reader *reader);

static bool read_name(struct reader *reader)
{
	struct view *name = reader->next++;

	if (*reader->at != '"')
		return false;
	reader->at++;
	name->after = 1;
	if (!read_text(reader, name))
		return false;
	skip_space(reader);
	if (*reader->at != ':')
		return false;
	reader->at++;
	skip_space(reader);
	return true;
}

/* @reader is behind the bracket. */
static bool read_members(struct reader *reader, struct view *value, char end)
{
	value->number = 0;
	if (++reader->depth == DEPTH_MAX)
		return false;
	skip_space(reader);
	while (*reader->at != end || value->number) {
		if ((end == '}' && !read_name(reader)) || !read_value(reader))
			return false;
		value->number++;
		skip_space(reader);
		if (*reader->at == end)
			break;
		if (*reader->at != ',')
			return false;
		reader->at++;
		skip_space(reader);
	}
	reader->at++;
	reader->depth--;
	return true;
}

static bool read_word(struct reader *reader, struct view *value)
{
	value->type = *reader->at == 'n' ? VIEW_NULL : VIEW_FLAG;
	value->number = *reader->at == 't';
	return skip_word(reader, value->type == VIEW_NULL ? "null" : value->number ? "true" : "false");
}

static bool read_value(struct reader *reader)
{
	struct view *value = reader->next++;
	bool read;

	switch (*reader->at) {
	case '{':
	case '[':
		value->type = *reader->at == '{' ? VIEW_OBJECT : VIEW_LIST;
		reader->at++;
		read = read_members(reader, value, value->type == VIEW_OBJECT ? '}' : ']');
		break;
	case '"':
		reader->at++;
		read = read_text(reader, value);
		break;
	case 'n':
	case 't':
	case 'f':
		read = read_word(reader, value);
		break;
	default:
		read = read_number(reader, value);
	}
	value->after = (uint32_t)(reader->next - value);
	return read;
}

int view_read(char *text, size_t len, const char *name, struct view *values, struct error *err)
{
	struct reader reader = { .at = text, .next = values };
	bool read;

	skip_space(&reader);
	read = read_value(&reader);
	if (read)
		skip_space(&reader);
	if (read && reader.at == text + len)
		return 0;
	return error_set(err, "%s: damaged JSON: %s in its byte %zu", name,
			 read			       ? "more text follows its end" :
			 reader.at == text + len       ? "it ends too soon" :
			 reader.depth == DEPTH_MAX     ? "it nests too deep" :
							 "not what is expected",
			 (size_t)(reader.at - text) + 1);
}

/* ---- looking up ---- */

static const struct view *find_part(const struct view *object, const char *name, size_t length)
{
	const struct view *found = NULL;

	for (const struct view *at = object + 1; at < object + object->after; at += 1 + at[1].after)
		if ((size_t)at->number == length && memcmp(at->text, name, length) == 0)
			found = at + 1;
	return found;
}

const struct view *view_find(const struct view *object, const char *name)
{
	while (view_is(object, VIEW_OBJECT)) {
		const char *dot = strchr(name, '.');

		object = find_part(object, name, dot ? (size_t)(dot - name) : strlen(name));
		if (!dot)
			return object && object->type != VIEW_NULL ? object : NULL;
		name = dot + 1;
	}
	return NULL;
}

bool view_has(const struct view *object, const char *name)
{
	return view_is(object, VIEW_OBJECT) && find_part(object, name, strlen(name));
}

bool view_count(const struct view *object, const char *name, int64_t *value)
{
	const struct view *number = view_find(object, name);

	if (!view_is(number, VIEW_INT) || number->number < 0)
		return false;
	*value = number->number;
	return true;
}
