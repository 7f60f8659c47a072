/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading and writing fields of JSON objects by their names.
 *
 * What is read was written by somebody else: a field that is not there and one
 * of another type look the same, absent.
 */
#ifndef STINT_FIELD_H
#define STINT_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "collector/common/error.h"

/*
 * Parses @len bytes as one JSON value of type @type, in valid UTF-8.
 *
 * @name: what the bytes are, for the error
 *
 * Returns the value, to be put; NULL with @err naming line and column.
 */
struct json_object *field_parse(const char *data, size_t len, const char *name, enum json_type type,
				struct error *err);

/*
 * Returns the field that the dotted @name leads to, or NULL. Borrowed.
 */
struct json_object *field_find(struct json_object *object, const char *name);

/*
 * As field_find(), when it is of type @type; else NULL.
 */
struct json_object *field_typed(struct json_object *object, const char *name, enum json_type type);

/*
 * Reads a whole number that is not negative. Returns false, with *@value
 * untouched, when there is none.
 */
bool field_count(struct json_object *object, const char *name, int64_t *value);

/*
 * Reads any number. Returns false, with *@value untouched, when there is none.
 */
bool field_number(struct json_object *object, const char *name, double *value);

/*
 * Returns the text, or NULL. Borrowed.
 */
const char *field_text(struct json_object *object, const char *name);

/*
 * Returns true when the field is there and true.
 */
bool field_true(struct json_object *object, const char *name);

/*
 * Returns the array's length; 0 when @array is NULL.
 */
size_t field_length(struct json_object *array);

/*
 * Each puts one field behind those that @object has. put_copy() and
 * put_text() leave it out when there is nothing to put.
 */
void put_count(struct json_object *object, const char *name, int64_t value);
void put_seconds(struct json_object *object, const char *name, int64_t ns);
void put_ratio(struct json_object *object, const char *name, double value); /* six decimals */
void put_text(struct json_object *object, const char *name, const char *text);
void put_time(struct json_object *object, const char *name, int64_t unix_ns); /* RFC 3339, local zone */
void put_flag(struct json_object *object, const char *name, bool value);
void put_null(struct json_object *object, const char *name);
void put_copy(struct json_object *object, const char *name, struct json_object *from);
struct json_object *put_object(struct json_object *object, const char *name);
struct json_object *put_array(struct json_object *object, const char *name);

/*
 * For what there are very many of: @name is not in @object yet, and is not copied; nor
 * is @value of put_new_same(), which belongs to both afterwards.
 */
void put_new_count(struct json_object *object, const char *name, int64_t value);
void put_new_seconds(struct json_object *object, const char *name, int64_t ns);
void put_new_time(struct json_object *object, const char *name, int64_t unix_ns);
void put_new_same(struct json_object *object, const char *name, struct json_object *value);

/*
 * Returns the number of seconds that put_seconds() puts.
 */
struct json_object *field_new_seconds(int64_t ns);

/*
 * Returns @a + @b, or INT64_MAX when that is beyond it. Neither is negative.
 */
int64_t count_sum(int64_t a, int64_t b);

static inline void field_putp(struct json_object **object)
{
	json_object_put(*object);
}

#define cleanup_json __attribute__((cleanup(field_putp)))

#endif
