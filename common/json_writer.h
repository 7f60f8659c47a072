/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Appends fields to JSON objects: the node record, the status file, stint-slurm-job's answer and the report. Makes
 * all text valid UTF-8.
 */
#ifndef STINT_JSON_WRITER_H
#define STINT_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/* Each of these functions appends one field to @object. put_copy() and put_text() append nothing if the value is NULL. */
void put_count(struct json_object *object, const char *name, int64_t value); /* for any whole number */
void put_seconds(struct json_object *object, const char *name, int64_t ns);
void put_ratio(struct json_object *object, const char *name, double value); /* six decimals */
void put_text(struct json_object *object, const char *name, const char *text);
/* Writes the time in the form of RFC 3339, in the local time zone. */
void put_time(struct json_object *object, const char *name, int64_t unix_ns);
void put_flag(struct json_object *object, const char *name, bool value);
void put_null(struct json_object *object, const char *name);
void put_copy(struct json_object *object, const char *name, struct json_object *from);
struct json_object *put_object(struct json_object *object, const char *name);
struct json_object *put_array(struct json_object *object, const char *name);

/* Like put_text(), but also appends nothing if @text is empty, because empty means not known. */
void put_known_text(struct json_object *object, const char *name, const char *text);

/*
 * Appends @path like put_known_text(). If @path is not valid UTF-8, the text in the JSON differs from the real path.
 * In that case, also appends the real path as @hex_name, in hexadecimal, with two digits for each byte.
 */
void put_path(struct json_object *object, const char *name, const char *hex_name, const char *path);

/*
 * Like the functions above, but faster, for large numbers of objects. @object must not have a field @name yet. The
 * text @name must remain valid, because it is not copied.
 */
void put_new_count(struct json_object *object, const char *name, int64_t value);
void put_new_value(struct json_object *object, const char *name, struct json_object *value); /* takes ownership of @value */

#define JSON_RATIO "%.6f" /* format in which put_ratio() prints a number */
#define JSON_SECONDS_TEXT 32

/*
 * Prints @ns nanoseconds as a number of seconds, in the form of put_seconds(). Works with whole numbers, so no digit
 * is lost. The number has at least one decimal. Returns the start of the number, which is somewhere in @text.
 */
char *json_seconds_text(int64_t ns, char text[JSON_SECONDS_TEXT]);

/*
 * Returns @ns nanoseconds as a JSON number of seconds, as put_seconds() appends it.
 */
struct json_object *json_new_seconds(int64_t ns);

#endif
