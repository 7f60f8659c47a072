/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON text, read from its begin to its end: what view.h and the report's model (reports/model/) are read with. Texts
 * become plain where they lie. No value is kept here.
 *
 * Functions return false where the text is no JSON; scan->at is then where that shows.
 */
#ifndef STINT_SCAN_H
#define STINT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Begins at the first byte of a text that ends in a NUL; depth is 0 then. */
struct scan {
	char *at;
	int depth; /* of objects and lists that are open */
};

enum scan_type {
	SCAN_NULL,
	SCAN_FLAG,   /* number: 0 or 1 */
	SCAN_INT,    /* number: one that is too large is the largest or smallest there is. text: its digits */
	SCAN_REAL,   /* a number with a fraction or an exponent. text: its digits, with no NUL behind them */
	SCAN_TEXT,   /* text, of number bytes and a NUL */
	SCAN_LIST,   /* lists and objects: scan->at is at the bracket still */
	SCAN_OBJECT,
};

struct scan_value {
	enum scan_type type;
	int64_t number;
	const char *text;
};

/* Returns the type of the value at scan->at, by its first character: of what is none, SCAN_INT. */
enum scan_type scan_peek(const struct scan *scan);

/* Reads the value at scan->at, but no list and no object. */
bool scan_plain(struct scan *scan, struct scan_value *value);

/* Enters the list or object at scan->at; false also where it nests deeper than any form of ours. */
bool scan_enter(struct scan *scan);

enum scan_next {
	SCAN_ANOTHER, /* scan->at is at another element, or at a member's name */
	SCAN_END,     /* and behind the bracket */
	SCAN_DAMAGED,
};

/*
 * Goes on in a list or object. @end: its bracket; @first: nothing of it was read yet.
 */
enum scan_next scan_next(struct scan *scan, char end, bool first);

/* Reads a member's name, and goes to its value. */
bool scan_name(struct scan *scan, const char **name, size_t *length);

/* Reads any value, and forgets it. */
bool scan_skip(struct scan *scan);

/*
 * As scan_skip(), but checks nothing but that brackets and quotes end: for what is long and of no interest.
 */
bool scan_pass(struct scan *scan);

void scan_space(struct scan *scan);

/*
 * Ends the reading of @text, whose value was read if @read. @name: what the text is.
 *
 * Returns 0; -1 with @err set: it was no JSON, or more follows.
 */
int scan_finish(struct scan *scan, const char *text, size_t len, const char *name, bool read, struct error *err);

#endif
