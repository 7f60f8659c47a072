/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads fields of JSON objects by name. common/json_writer.h writes such fields.
 *
 * A field of the wrong type counts as absent, because the JSON comes from elsewhere.
 */
#ifndef STINT_FIELD_H
#define STINT_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/error.h"
#include "common/json_writer.h"

/*
 * Parses @len bytes, which must be one JSON value of type @type in valid UTF-8.
 *
 * @name: the name of the data, for @err
 *
 * Returns the value, which the caller releases by json_object_put(). On failure, returns NULL with @err set. If the
 * JSON is damaged, @err names the line and column.
 */
struct json_object *field_parse(const char *data, size_t len, const char *name, enum json_type type,
				struct error *err);

/*
 * Returns the field of @object that the dotted path @name leads to; borrowed. Returns NULL if there is none.
 */
struct json_object *field_find(struct json_object *object, const char *name);

/* Like field_find(), but returns NULL if the field is not of type @type. */
struct json_object *field_typed(struct json_object *object, const char *name, enum json_type type);

/* Reads a whole number that is not negative. If there is no such number, returns false and leaves *@value unchanged. */
bool field_count(struct json_object *object, const char *name, int64_t *value);

/* Reads any number. If there is no number, returns false and leaves *@value unchanged. */
bool field_number(struct json_object *object, const char *name, double *value);

/* Returns the text of the field, borrowed; NULL if there is none. */
const char *field_text(struct json_object *object, const char *name);

/* Returns true if the field is present and true. */
bool field_true(struct json_object *object, const char *name);

/*
 * Returns true if the field that @name leads to, as in field_find(), is the text @text. Returns false if there is no
 * such field.
 */
bool field_is(struct json_object *object, const char *name, const char *text);

/* Returns the number of elements of @array; 0 if @array is NULL or not an array. */
size_t field_length(struct json_object *array);

/*
 * Returns @a + @b, or INT64_MAX if the sum would be larger. Neither @a nor @b may be negative.
 */
int64_t count_sum(int64_t a, int64_t b);

static inline void field_putp(struct json_object **object)
{
	json_object_put(*object);
}

#define cleanup_json __attribute__((cleanup(field_putp), unused))

#endif
