/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON once, from begin to end, for use without changes. The values lie side by side in one list, and texts stay where they
 * are. This is several times as fast as objects that own their members (json-c), most of which would be made only to be thrown
 * away.
 */
#ifndef STINT_VIEW_H
#define STINT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum view_type {
	VIEW_NULL,
	VIEW_FLAG,   /* number: 0 or 1 */
	VIEW_INT,    /* number */
	VIEW_REAL,   /* a number with a fraction or an exponent; its value is not kept */
	VIEW_TEXT,   /* text, of number bytes and a NUL */
	VIEW_LIST,   /* of number elements */
	VIEW_OBJECT, /* of number members: for each the name, which is a text, and the value */
};

/* A value. Everything in it follows it in the list. */
struct view {
	enum view_type type;
	uint32_t after; /* offset in the list of the next value that is not in this one */
	int64_t number;
	const char *text;
};

/* Iterates over the elements of @list, or over the names and values of an object. */
#define view_each(at, list) \
	for (const struct view *(at) = (list) + 1; (at) < (list) + (list)->after; (at) += (at)->after)

/* Returns how many values JSON of @len bytes can have. */
size_t view_room(size_t len);

/*
 * Reads the JSON in @text, which must be valid UTF-8. Texts are unescaped in place, each with a NUL at its end.
 *
 * @text: @len bytes and a NUL; must live as long as @values
 * @name: what it is, for @err
 * @values: room for view_room(@len) values. The first one becomes the whole JSON value
 *
 * Returns 0; -1 with @err set: it is not JSON, or nests deeper than any of our formats.
 */
int view_read(char *text, size_t len, const char *name, struct view *values, struct error *err);

/*
 * Returns the member that the dotted @name leads to; NULL: there is none, or it is null. If several have the same name, the last
 * one counts. @object may be NULL, or not an object.
 */
const struct view *view_find(const struct view *object, const char *name);

/* Returns whether @object has the member @name, even if it is null. */
bool view_has(const struct view *object, const char *name);

/* As field_count(): a whole number that is not negative. */
bool view_count(const struct view *object, const char *name, int64_t *value);

/* Returns whether @value, which may be NULL, is of @type. */
static inline bool view_is(const struct view *value, enum view_type type)
{
	return value && value->type == type;
}

#endif
