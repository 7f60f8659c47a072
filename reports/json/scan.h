/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON text from begin to end, for view.h and the report's model (reports/model/). Strings are unescaped in
 * place. The scanner keeps no value.
 *
 * Functions return false if the text is not JSON; scan->at then points to the place that is not JSON.
 */
#ifndef STINT_SCAN_H
#define STINT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* The state of reading. To begin, set it to the first byte of a text that ends in a NUL, with depth 0. */
struct scan {
	char *at;
	int depth; /* the number of objects and lists that are open */
};

enum scan_type {
	SCAN_NULL,
	SCAN_FLAG,   /* number is 0 or 1 */
	SCAN_INT,    /* number is the value; if it is too large, the largest or smallest int64_t. text points to the digits */
	SCAN_REAL,   /* a number with a fraction or an exponent. text points to its digits, which end without a NUL */
	SCAN_TEXT,   /* text has number bytes and a NUL */
	SCAN_LIST,   /* for lists and objects, scan->at is still at the bracket */
	SCAN_OBJECT,
};

struct scan_value {
	enum scan_type type;
	int64_t number;
	const char *text;
};

/* Returns the type of the value at scan->at, by its first character; SCAN_INT if there is no value. */
enum scan_type scan_peek(const struct scan *scan);

/* Reads the value at scan->at, which must not be a list or an object. */
bool scan_plain(struct scan *scan, struct scan_value *value);

/* Enters the list or object at scan->at. Returns false also if it nests deeper than any of our formats. */
bool scan_enter(struct scan *scan);

enum scan_next {
	SCAN_ANOTHER, /* scan->at points to another element, or to a member's name */
	SCAN_END,     /* scan->at points after the bracket */
	SCAN_DAMAGED,
};

/* Continues in a list or object. @end: its closing bracket. @first: true if nothing in it was read yet */
enum scan_next scan_next(struct scan *scan, char end, bool first);

/* Reads a member's name, and goes to its value. */
bool scan_name(struct scan *scan, const char **name, size_t *length);

/* Reads and discards any value. */
bool scan_skip(struct scan *scan);

/* Like scan_skip(), but only checks that brackets and quotes are closed. Use it for long values that are not needed. */
bool scan_pass(struct scan *scan);

/*
 * Returns the place after the string whose first quote is at @at; NULL if the string does not end. @end: the end of the
 * text; NULL if the text ends in a NUL
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
 * Finishes reading @text. @read: true if the value of the text was read. @name: the name of the text, for @err
 *
 * Returns 0; -1 with @err set if the text was not JSON, or if more text follows.
 */
int scan_finish(struct scan *scan, const char *text, size_t len, const char *name, bool read, struct error *err);

#endif
