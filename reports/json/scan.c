/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/scan.h"

#include <string.h>

#include "common/utf8.h"

#define REPLACEMENT 0xfffd /* replaces half of a surrogate pair */

static bool skip_word(struct scan *scan, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(scan->at, word, length) != 0)
		return false;
	scan->at += length;
	return true;
}

/* ---- numbers ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool skip_digits(struct scan *scan)
{
	const char *from = scan->at;

	while (is_digit(*scan->at))
		scan->at++;
	return scan->at > from;
}

#define SAFE_DIGITS 18 /* a number with at most so many digits fits into int64_t */

/* A number too large for int64_t becomes INT64_MAX or INT64_MIN. */
static bool read_whole(struct scan *scan, bool negative, int64_t *number)
{
	const char *from = scan->at;
	uint64_t value = 0;

	for (; is_digit(*scan->at) && scan->at - from < SAFE_DIGITS; scan->at++)
		value = value * 10 + (uint64_t)(*scan->at - '0');
	for (; is_digit(*scan->at); scan->at++)
		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *scan->at - '0', &value))
			value = UINT64_MAX; /* overflows again with each further digit, so it stays too large */
	if (scan->at == from || (*from == '0' && scan->at > from + 1))
		return false;
	if (value > INT64_MAX)
		*number = negative ? INT64_MIN : INT64_MAX;
	else
		*number = negative ? -(int64_t)value : (int64_t)value;
	return true;
}

static bool read_number(struct scan *scan, struct scan_value *value)
{
	bool negative = *scan->at == '-';

	value->text = scan->at;
	scan->at += negative;
	value->type = SCAN_INT;
	if (!read_whole(scan, negative, &value->number))
		return false;
	if (*scan->at == '.') {
		value->type = SCAN_REAL;
		scan->at++;
		if (!skip_digits(scan))
			return false;
	}
	if (*scan->at != 'e' && *scan->at != 'E')
		return true;
	value->type = SCAN_REAL;
	scan->at++;
	if (*scan->at == '+' || *scan->at == '-')
		scan->at++;
	return skip_digits(scan);
}

/* ---- texts ---- */

static int hex_digit(char c)
{
	return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

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

/* Writes the character @code in UTF-8. It is never longer than its escape "\uXXXX". */
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

static bool read_code(struct scan *scan, char **to)
{
	int32_t code = read_hex(scan->at), low;

	if (code < 0)
		return false;
	scan->at += 4;
	if (code >= 0xd800 && code < 0xdc00 && scan->at[0] == '\\' && scan->at[1] == 'u' &&
	    (low = read_hex(scan->at + 2)) >= 0xdc00 && low < 0xe000) {
		scan->at += 6;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	*to = put_code(*to, code >= 0xd800 && code < 0xe000 ? REPLACEMENT : code);
	return true;
}

static bool read_escape(struct scan *scan, char **to)
{
	static const char marks[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
	const char *mark;

	if (*scan->at == 'u') {
		scan->at++;
		return read_code(scan, to);
	}
	mark = *scan->at ? strchr(marks, *scan->at) : NULL;
	if (!mark)
		return false;
	scan->at++;
	*(*to)++ = plain[mark - marks];
	return true;
}

/* The text may contain a NUL. */
static bool is_utf8(const char *at, const char *end)
{
	while (at < end) {
		size_t length = *at ? utf8_length(at) : 1;

		if (!length)
			return false;
		at += length;
	}
	return true;
}

/* scan->at must be behind the first quote. */
static bool read_text(struct scan *scan, struct scan_value *value)
{
	char *from = scan->at, *to;
	unsigned char all = 0; /* all bytes combined by OR; below 0x80 for ASCII */

	while (*scan->at != '"' && *scan->at != '\\' && (unsigned char)*scan->at >= ' ')
		all |= (unsigned char)*scan->at++;
	to = scan->at;
	while (*scan->at != '"') {
		if ((unsigned char)*scan->at < ' ')
			return false;
		if (*scan->at != '\\') {
			all |= (unsigned char)*scan->at;
			*to++ = *scan->at++;
			continue;
		}
		scan->at++;
		if (!read_escape(scan, &to))
			return false;
	}
	scan->at++;
	*to = '\0';
	value->type = SCAN_TEXT;
	value->text = from;
	value->number = to - from;
	return all < 0x80 || is_utf8(from, to);
}

static bool read_word(struct scan *scan, struct scan_value *value)
{
	value->type = *scan->at == 'n' ? SCAN_NULL : SCAN_FLAG;
	value->number = *scan->at == 't';
	return skip_word(scan, value->type == SCAN_NULL ? "null" : value->number ? "true" : "false");
}

/* ---- values ---- */

bool scan_plain(struct scan *scan, struct scan_value *value)
{
	switch (scan_peek(scan)) {
	case SCAN_TEXT:
		scan->at++;
		return read_text(scan, value);
	case SCAN_NULL:
	case SCAN_FLAG:
		return read_word(scan, value);
	default:
		return read_number(scan, value);
	}
}

/* ---- lists and objects ---- */

bool scan_name(struct scan *scan, const char **name, size_t *length)
{
	struct scan_value text;

	if (*scan->at != '"')
		return false;
	scan->at++;
	if (!read_text(scan, &text))
		return false;
	*name = text.text;
	*length = (size_t)text.number;
	scan_space(scan);
	if (*scan->at != ':')
		return false;
	scan->at++;
	scan_space(scan);
	return true;
}

bool scan_skip(struct scan *scan)
{
	bool object = scan_peek(scan) == SCAN_OBJECT, first = true;
	struct scan_value value;
	enum scan_next next;
	const char *name;
	size_t length;

	if (!object && scan_peek(scan) != SCAN_LIST)
		return scan_plain(scan, &value);
	if (!scan_enter(scan))
		return false;
	while ((next = scan_next(scan, object ? '}' : ']', first)) == SCAN_ANOTHER) {
		if ((object && !scan_name(scan, &name, &length)) || !scan_skip(scan))
			return false;
		first = false;
	}
	return next == SCAN_END;
}

/* scan->at must be at the first quote. If the string has no end, moves scan->at to the end of the text. */
static bool pass_text(struct scan *scan)
{
	char *past = scan_past_text(scan->at, NULL);

	scan->at = past ?: scan->at + strlen(scan->at);
	return past;
}

/*
 * Skips whole lines that hold one object each, as in the lists of report files.
 * In a forged file, this may skip brackets. scan_pass() then fails, or leaves damaged text behind it.
 */
static void pass_lines(struct scan *scan)
{
	static const char begin[] = "\n    {";

	while (strncmp(scan->at, begin, strlen(begin)) == 0) {
		char *end = strchr(scan->at + 1, '\n');

		if (!end || end[-1] != ',' || end[-2] != '}')
			return;
		scan->at = end;
	}
}

bool scan_pass(struct scan *scan)
{
	char begin = *scan->at, c;
	struct scan_value value;
	int depth = 0;

	if (begin != '{' && begin != '[')
		return scan_plain(scan, &value);
	do {
		c = *scan->at;
		if (c == '"') {
			if (!pass_text(scan))
				return false;
			continue;
		}
		if (!c)
			return false;
		if (c == '\n' && depth == 1)
			pass_lines(scan);
		depth += (c == '{' || c == '[') - (c == '}' || c == ']');
		scan->at++;
	} while (depth > 0);
	return c == (begin == '{' ? '}' : ']');
}

int scan_finish(struct scan *scan, const char *text, size_t len, const char *name, bool read, struct error *err)
{
	if (read)
		scan_space(scan);
	if (read && scan->at == text + len)
		return 0;
	return error_set(err, "%s: damaged JSON at byte %zu: %s", name, (size_t)(scan->at - text) + 1,
			 read				? "more text follows its end" :
			 scan->at == text + len		? "it ends too soon" :
			 scan->depth == SCAN_DEPTH_MAX	? "it is nested too deeply" :
							  "an unexpected character");
}
