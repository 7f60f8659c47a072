/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON once, from begin to end, into values that cannot be changed. The values are next to each other in one
 * list, and strings stay in the text. json-c would make an object for each value, most of which would only be freed
 * again, so this is several times as fast.
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
	VIEW_REAL,   /* a number with a fraction or an exponent; its value is not kept */
	VIEW_TEXT,   /* text has number bytes and a NUL */
	VIEW_LIST,   /* number is the number of elements */
	VIEW_OBJECT, /* number is the number of members; the values of a member are a text, which is its name, and then its value */
};

/* A value. All values inside it come right after it in the list. */
struct view {
	enum view_type type;
	uint32_t after; /* how many places to move in the list to reach the next value that is not inside this one */
	int64_t number;
	const char *text;
};

/* Iterates over the elements of @list, or over the names and values of an object. */
#define view_each(at, list) \
	for (const struct view *(at) = (list) + 1; (at) < (list) + (list)->after; (at) += (at)->after)

/* Returns the most values that a JSON text of @len bytes can have. */
size_t view_room(size_t len);

/*
 * Reads the JSON in @text, which must be valid UTF-8. Unescapes strings in place, and ends each of them with a NUL.
 *
 * @text: @len bytes and a NUL; must live as long as @values
 * @name: the name of the text, for @err
 * @values: room for view_room(@len) values; the first one becomes the outermost JSON value
 *
 * Returns 0; -1 with @err set if the text is not JSON, or nests deeper than any format of stint.
 */
int view_read(char *text, size_t len, const char *name, struct view *values, struct error *err);

/*
 * Returns the member of @object that the dotted path @name leads to. Returns NULL if there is none, or if it is null.
 * If several members have the same name, uses the last one. @object may be NULL, or not an object.
 */
const struct view *view_find(const struct view *object, const char *name);

/* Returns true if @object has a member called @name, even if its value is null. */
bool view_has(const struct view *object, const char *name);

/* Like field_count(), but for a view: reads a whole number that is not negative. */
bool view_count(const struct view *object, const char *name, int64_t *value);

/* Returns true if @value is of @type. @value may be NULL. */
static inline bool view_is(const struct view *value, enum view_type type)
{
	return value && value->type == type;
}

#endif
