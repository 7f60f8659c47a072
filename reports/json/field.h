/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads fields of JSON objects by name.
 * A field of the wrong type counts as absent, because the JSON may come from anywhere.
 */
#ifndef STINT_FIELD_H
#define STINT_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/error.h"
#include "common/json_writer.h"

/*
 * Parses @len bytes, which must be one JSON value of @type in valid UTF-8.
 *
 * @name: the name of the data, for @err
 *
 * Returns the value, which the caller releases with json_object_put().
 * On failure, returns NULL with @err set. For damaged JSON, @err has the line and column.
 */
struct json_object *field_parse(const char *data, size_t len, const char *name, enum json_type type,
				struct error *err);

/* Returns the field at the dotted path @name, borrowed; NULL if there is none. */
struct json_object *field_find(struct json_object *object, const char *name);

/* Returns the field at the dotted path @name, borrowed; NULL if it is not of @type. */
struct json_object *field_typed(struct json_object *object, const char *name, enum json_type type);

/* Reads a whole number from 0 up. Returns false, with *@value unchanged, if there is none. */
bool field_count(struct json_object *object, const char *name, int64_t *value);

/* Reads any number. Returns false, with *@value unchanged, if there is none. */
bool field_number(struct json_object *object, const char *name, double *value);

/* Returns the text, borrowed; NULL if there is none. */
const char *field_text(struct json_object *object, const char *name);

/* Returns whether the field is present and true. */
bool field_true(struct json_object *object, const char *name);

/* Returns whether the field is present and is the text @text. */
bool field_is(struct json_object *object, const char *name, const char *text);

/* Returns 0 if @array is NULL or not an array. */
size_t field_length(struct json_object *array);

/* Returns @a + @b, at most INT64_MAX. @a and @b must not be negative. */
int64_t count_sum(int64_t a, int64_t b);

static inline void field_putp(struct json_object **object)
{
	json_object_put(*object);
}

#define cleanup_json __attribute__((cleanup(field_putp), unused))

#endif
