/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON into one list of values that cannot be changed. Strings stay in the text.
 * That is several times as fast as json-c, which allocates an object for each value.
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
	VIEW_REAL,   /* has a fraction or an exponent; its value is not kept */
	VIEW_TEXT,   /* text is the string, with a NUL at its end; number: its length in bytes */
	VIEW_LIST,   /* number: how many elements */
	VIEW_OBJECT, /* number: how many members; a member is a text, its name, and then its value */
};

/* A value. The values inside it follow in the list. */
struct view {
	enum view_type type;
	uint32_t after; /* distance in the list to the next value that is not inside this value */
	int64_t number;
	const char *text;
};

/* For each element of a list, or each name and value of an object. */
#define view_each(at, list) \
	for (const struct view *(at) = (list) + 1; (at) < (list) + (list)->after; (at) += (at)->after)

/* Returns how many values a JSON text of @len bytes can have at most. */
size_t view_room(size_t len);

/*
 * Reads the JSON in @text, which must be valid UTF-8.
 * Unescapes strings in place, each with a NUL at its end.
 *
 * @text: @len bytes and a NUL; must live as long as @values
 * @name: the name of the text, for @err
 * @values: room for view_room(@len) values; the first one is the outermost
 *
 * Returns 0; -1 with @err set if the text is not JSON, or nests deeper than any format of stint.
 */
int view_read(char *text, size_t len, const char *name, struct view *values, struct error *err);

/*
 * Returns the member of @object at the dotted path @name; NULL if there is none, or if it is null.
 * If several members have the same name, returns the last of them.
 *
 * @object: may be NULL, or not an object
 */
const struct view *view_find(const struct view *object, const char *name);

/* Returns whether @object has a member @name, even if its value is null. */
bool view_has(const struct view *object, const char *name);

/* Reads a whole number from 0 up. Returns false, with *@value unchanged, if there is none. */
bool view_count(const struct view *object, const char *name, int64_t *value);

/* @value may be NULL. */
static inline bool view_is(const struct view *value, enum view_type type)
{
	return value && value->type == type;
}

#endif
