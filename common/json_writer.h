/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes fields of JSON objects: for the node record, the status file, stint-slurm-job's answer and the report. All
 * text becomes valid UTF-8.
 */
#ifndef STINT_JSON_WRITER_H
#define STINT_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/* Each of these appends one field to @object. put_copy() and put_text() append nothing if their value is NULL. */
void put_count(struct json_object *object, const char *name, int64_t value); /* for any whole number */
void put_seconds(struct json_object *object, const char *name, int64_t ns);
void put_ratio(struct json_object *object, const char *name, double value); /* six decimals */
void put_text(struct json_object *object, const char *name, const char *text);
/* in the form of RFC 3339, in the local time zone */
void put_time(struct json_object *object, const char *name, int64_t unix_ns);
void put_flag(struct json_object *object, const char *name, bool value);
void put_null(struct json_object *object, const char *name);
void put_copy(struct json_object *object, const char *name, struct json_object *from);
struct json_object *put_object(struct json_object *object, const char *name);
struct json_object *put_array(struct json_object *object, const char *name);

/* Like put_text(), but appends nothing if @text is empty, which means not known. */
void put_known_text(struct json_object *object, const char *name, const char *text);

/*
 * Appends @path like put_known_text(). If @path is not valid UTF-8, that text is not the real path. Then this also
 * appends the real path as @hex_name, in hexadecimal, with two digits for each byte.
 */
void put_path(struct json_object *object, const char *name, const char *hex_name, const char *path);

/*
 * Like the functions above, but faster, for very many objects. @object must not have a field @name yet, and @name must
 * remain valid because it is not copied.
 */
void put_new_count(struct json_object *object, const char *name, int64_t value);
void put_new_value(struct json_object *object, const char *name, struct json_object *value); /* takes ownership of @value */

#define JSON_RATIO "%.6f" /* how put_ratio() prints a number */
#define JSON_SECONDS_TEXT 32

/*
 * Writes @ns as a number of seconds to @text, in the form of put_seconds(). The text is made from the whole number of
 * nanoseconds, so no digit is lost. It has at least one decimal. Returns the start of the number, which is somewhere in
 * @text.
 */
char *json_seconds_text(int64_t ns, char text[JSON_SECONDS_TEXT]);

/*
 * Returns @ns as the JSON number of seconds that put_seconds() appends.
 */
struct json_object *json_new_seconds(int64_t ns);

#endif
