/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Appends fields to JSON objects. Makes all text valid UTF-8. */
#ifndef STINT_JSON_WRITER_H
#define STINT_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/* Append one field to @object. put_copy() and put_text() append nothing for NULL. */
void put_count(struct json_object *object, const char *name, int64_t value);
void put_seconds(struct json_object *object, const char *name, int64_t ns);
void put_ratio(struct json_object *object, const char *name, double value); /* six decimals */
void put_text(struct json_object *object, const char *name, const char *text);
/* RFC 3339, in the local time zone. */
void put_time(struct json_object *object, const char *name, int64_t unix_ns);
void put_flag(struct json_object *object, const char *name, bool value);
void put_null(struct json_object *object, const char *name);
void put_copy(struct json_object *object, const char *name, struct json_object *from);
struct json_object *put_object(struct json_object *object, const char *name);
struct json_object *put_array(struct json_object *object, const char *name);

/* Like put_text(), but appends nothing for an empty @text. */
void put_known_text(struct json_object *object, const char *name, const char *text);

/*
 * Appends @path like put_known_text().
 * If @path is not valid UTF-8, also appends its bytes as @hex_name, in hexadecimal.
 */
void put_path(struct json_object *object, const char *name, const char *hex_name, const char *path);

/*
 * Like the functions above, but faster.
 *
 * @object: must not have @name yet
 * @name: must remain valid, because it is not copied
 */
void put_new_count(struct json_object *object, const char *name, int64_t value);
void put_new_value(struct json_object *object, const char *name, struct json_object *value); /* takes ownership of @value */

#define JSON_RATIO "%.6f"
#define JSON_SECONDS_TEXT 32

/* Prints @ns nanoseconds as seconds, exactly. Returns the start of the number within @text. */
char *json_seconds_text(int64_t ns, char text[JSON_SECONDS_TEXT]);

/* Returns @ns nanoseconds as put_seconds() appends them. */
struct json_object *json_new_seconds(int64_t ns);

#endif
