/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON text from begin to end, for view.h and the report's model (reports/model/). Unescapes strings in place,
 * and keeps no values.
 *
 * Functions return false if the text is not JSON. scan->at then points to the first byte that is wrong.
 */
#ifndef STINT_SCAN_H
#define STINT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* How far a text has been read. To begin, set .at to the first byte of a text that ends in a NUL, and .depth to 0. */
struct scan {
	char *at;
	int depth; /* how many objects and lists are open */
};

enum scan_type {
	SCAN_NULL,
	SCAN_FLAG,   /* number is 0 or 1 */
	SCAN_INT,    /* number is the value, or the largest or smallest int64_t if the value is too large; text points to the digits */
	SCAN_REAL,   /* a number with a fraction or an exponent. text points to its first character, and no NUL follows the last */
	SCAN_TEXT,   /* text has number bytes and a NUL */
	SCAN_LIST,   /* for lists and objects, scan->at still points to the opening bracket */
	SCAN_OBJECT,
};

struct scan_value {
	enum scan_type type;
	int64_t number;
	const char *text;
};

/*
 * Returns the type of the value at scan->at, judged by its first character; SCAN_INT if there is no value. Never
 * returns SCAN_REAL.
 */
enum scan_type scan_peek(const struct scan *scan);

/* Reads the value at scan->at, which must not be a list or an object. */
bool scan_plain(struct scan *scan, struct scan_value *value);

/* Enters the list or object at scan->at. Also returns false if it nests deeper than any format of stint. */
bool scan_enter(struct scan *scan);

enum scan_next {
	SCAN_ANOTHER, /* scan->at points to another element, or to the name of another member */
	SCAN_END,     /* scan->at points to the byte after the closing bracket */
	SCAN_DAMAGED,
};

/* Moves to the next element or member of a list or object. @end: the closing bracket. @first: true for the first call */
enum scan_next scan_next(struct scan *scan, char end, bool first);

/* Reads the name of a member, and moves to the member's value. */
bool scan_name(struct scan *scan, const char **name, size_t *length);

/* Reads and discards any value. */
bool scan_skip(struct scan *scan);

/* Like scan_skip(), but only checks that brackets and quotes are closed. Use it for long values that nobody needs. */
bool scan_pass(struct scan *scan);

/*
 * Returns a pointer to the byte after the string whose first quote is at @at; NULL if the string has no end. @end:
 * the end of the text; NULL if a NUL ends the text
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

void scan_space(struct scan *scan);

/*
 * Finishes reading @text. Pass true as @read if the functions above could read the whole value. @name: the name of
 * the text, for @err
 *
 * Returns 0; -1 with @err set if the text was not JSON, or if more text follows the value.
 */
int scan_finish(struct scan *scan, const char *text, size_t len, const char *name, bool read, struct error *err);

#endif
