/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON text from begin to end. Unescapes strings in place, and keeps no values.
 *
 * Functions return false if the text is not JSON. scan->at is then at the first wrong byte.
 */
#ifndef STINT_SCAN_H
#define STINT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define SCAN_DEPTH_MAX 16 /* no format of stint nests deeper */

/* How far a text has been read. To begin, set .at to a text that ends in NUL, and .depth to 0. */
struct scan {
	char *at;
	int depth; /* open objects and lists */
};

enum scan_type {
	SCAN_NULL,
	SCAN_FLAG,   /* number is 0 or 1 */
	SCAN_INT,    /* number is the value, cut to int64_t; text points to the digits */
	SCAN_REAL,   /* a number with a fraction or an exponent; text points to its digits, which no NUL ends */
	SCAN_TEXT,   /* text is the string, with a NUL at its end; number is its length in bytes */
	SCAN_LIST,   /* scan->at is still at the opening bracket */
	SCAN_OBJECT,
};

struct scan_value {
	enum scan_type type;
	int64_t number;
	const char *text;
};

/* Returns the type of the value at scan->at, by its first character; SCAN_INT for any number or without a value. */
static inline enum scan_type scan_peek(const struct scan *scan)
{
	switch (*scan->at) {
	case '{':
		return SCAN_OBJECT;
	case '[':
		return SCAN_LIST;
	case '"':
		return SCAN_TEXT;
	case 'n':
		return SCAN_NULL;
	case 't':
	case 'f':
		return SCAN_FLAG;
	default:
		return SCAN_INT;
	}
}

/* Reads the value at scan->at, which must not be a list or an object. */
bool scan_plain(struct scan *scan, struct scan_value *value);

/* Enters the list or object at scan->at. Returns false also at a depth that no format of stint has. */
static inline bool scan_enter(struct scan *scan)
{
	scan->at++;
	return ++scan->depth < SCAN_DEPTH_MAX;
}

static inline void scan_space(struct scan *scan)
{
	while (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\t' || *scan->at == '\r')
		scan->at++;
}

enum scan_next {
	SCAN_ANOTHER, /* scan->at is at another element, or at the name of another member */
	SCAN_END,     /* scan->at is behind the closing bracket */
	SCAN_DAMAGED,
};

/*
 * Moves to the next element or member.
 *
 * @end: the closing bracket
 * @first: true for the first call
 */
static inline enum scan_next scan_next(struct scan *scan, char end, bool first)
{
	scan_space(scan);
	if (*scan->at == end) {
		scan->at++;
		scan->depth--;
		return SCAN_END;
	}
	if (first)
		return SCAN_ANOTHER;
	if (*scan->at != ',')
		return SCAN_DAMAGED;
	scan->at++;
	scan_space(scan);
	return SCAN_ANOTHER;
}

/* Reads the name of a member, and moves to its value. */
bool scan_name(struct scan *scan, const char **name, size_t *length);

bool scan_skip(struct scan *scan);

/* Skips any value. Only checks that brackets and quotes are closed, so it is fast. */
bool scan_pass(struct scan *scan);

/*
 * Returns the byte behind the string whose first quote is at @at; NULL if the string has no end.
 *
 * @end: the end of the text; NULL: a NUL ends the text
 */
static inline char *scan_past_text(const char *at, const char *end)
{
	for (at++; end ? at < end : *at; at++) {
		if (*at == '"')
			return (char *)at + 1;
		if (*at == '\\' && (end || at[1]))
			at++;
	}
	return NULL;
}

/*
 * Ends the reading of @text.
 *
 * @read: whether all functions above returned true
 * @name: the name of the text, for @err
 *
 * Returns 0; -1 with @err set if the text was not JSON, or if more text follows the value.
 */
int scan_finish(struct scan *scan, const char *text, size_t len, const char *name, bool read, struct error *err);

#endif
