/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON once, from begin to end. The values cannot be changed. They are side by side in one list, and strings stay
 * in the text. This is several times as fast as objects that own their members (json-c), because most such objects
 * would be made only to be freed.
 */
#ifndef STINT_VIEW_H
#define STINT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum view_type {
	VIEW_NULL,
	VIEW_FLAG,   /* number is 0 or 1 */
	VIEW_INT,    /* number */
	VIEW_REAL,   /* a number with a fraction or an exponent, whose value is not kept */
	VIEW_TEXT,   /* text has number bytes and a NUL */
	VIEW_LIST,   /* of number elements */
	VIEW_OBJECT, /* number is the number of members. For each member, the list has its name, which is a text, and its value */
};

/* A value. In the list, everything in the value comes after it. */
struct view {
	enum view_type type;
	uint32_t after; /* the distance in the list to the next value that is not in this value */
	int64_t number;
	const char *text;
};

/* Iterates over the elements of @list, or over the names and values of an object. */
#define view_each(at, list) \
	for (const struct view *(at) = (list) + 1; (at) < (list) + (list)->after; (at) += (at)->after)

/* Returns how many values JSON of @len bytes can have. */
size_t view_room(size_t len);

/*
 * Reads the JSON in @text, which must be valid UTF-8. Strings are unescaped in place, and each then ends with a NUL.
 *
 * @text: @len bytes and a NUL; must live as long as @values
 * @name: the name of the text, for @err
 * @values: room for view_room(@len) values. The first one becomes the whole JSON value
 *
 * Returns 0; -1 with @err set if the text is not JSON, or nests deeper than any of our formats.
 */
int view_read(char *text, size_t len, const char *name, struct view *values, struct error *err);

/*
 * Returns the member that the dotted @name leads to; NULL if there is none, or if it is null. If several have the same
 * name, the last one counts. @object may be NULL, or not an object.
 */
const struct view *view_find(const struct view *object, const char *name);

/* Returns true if @object has the member @name, even if the member is null. */
bool view_has(const struct view *object, const char *name);

/* Like field_count(), reads a whole number that is not negative. */
bool view_count(const struct view *object, const char *name, int64_t *value);

/* Returns true if @value is of @type. @value may be NULL. */
static inline bool view_is(const struct view *value, enum view_type type)
{
	return value && value->type == type;
}

#endif
