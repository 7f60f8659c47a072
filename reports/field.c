/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/field.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/utf8.h"
#include "reports/units.h"

#define DEPTH_MAX 16 /* no form of ours nests deeper */

static const char *type_name(enum json_type type)
{
	return type == json_type_object ? "a JSON object" : type == json_type_array ? "a JSON array" : "of that type";
}

static void find_position(const char *data, size_t offset, unsigned long *line, unsigned long *column)
{
	*line = 1;
	*column = 1;
	for (size_t i = 0; i < offset; i++) {
		(*column)++;
		if (data[i] == '\n') {
			(*line)++;
			*column = 1;
		}
	}
}

struct json_object *field_parse(const char *data, size_t len, const char *name, enum json_type type,
				struct error *err)
{
	struct json_tokener *tokener;
	struct json_object *value;
	enum json_tokener_error why;
	unsigned long line, column;
	size_t end;

	if (len > INT_MAX - 1) {
		error_set(err, "%s: too long", name);
		return NULL;
	}
	tokener = json_tokener_new_ex(DEPTH_MAX);
	if (!tokener) {
		error_set(err, "%s: out of memory", name);
		return NULL;
	}
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8 |
						JSON_TOKENER_ALLOW_TRAILING_CHARS);
	/* The NUL behind the data ends a value that is cut short. */
	value = json_tokener_parse_ex(tokener, data, (int)len);
	why = json_tokener_get_error(tokener);
	end = json_tokener_get_parse_end(tokener);
	json_tokener_free(tokener);
	if (why == json_tokener_success)
		end += strspn(data + end, " \t\r\n");
	if (why == json_tokener_success && end == len) {
		if (json_object_is_type(value, type))
			return value;
		json_object_put(value);
		error_set(err, "%s: not %s", name, type_name(type));
		return NULL;
	}
	json_object_put(value);
	find_position(data, end, &line, &column);
	error_set(err, "%s:%lu:%lu: damaged JSON: %s", name, line, column,
		  why == json_tokener_success  ? "more follows behind its end" :
		  why == json_tokener_continue ? "it ends too soon" :
						 json_tokener_error_desc(why));
	return NULL;
}

struct json_object *field_find(struct json_object *object, const char *name)
{
	const char *dot;

	while (object && json_object_is_type(object, json_type_object)) {
		char part[64];
		struct json_object *next = NULL;

		dot = strchr(name, '.');
		if (!dot)
			return json_object_object_get_ex(object, name, &next) ? next : NULL;
		if ((size_t)(dot - name) >= sizeof(part))
			return NULL;
		memcpy(part, name, dot - name);
		part[dot - name] = '\0';
		json_object_object_get_ex(object, part, &next);
		object = next;
		name = dot + 1;
	}
	return NULL;
}

struct json_object *field_typed(struct json_object *object, const char *name, enum json_type type)
{
	struct json_object *value = field_find(object, name);

	return value && json_object_is_type(value, type) ? value : NULL;
}

bool field_count(struct json_object *object, const char *name, int64_t *value)
{
	struct json_object *number = field_typed(object, name, json_type_int);

	if (!number || json_object_get_int64(number) < 0)
		return false;
	*value = json_object_get_int64(number);
	return true;
}

bool field_number(struct json_object *object, const char *name, double *value)
{
	struct json_object *number = field_find(object, name);

	if (!json_object_is_type(number, json_type_int) && !json_object_is_type(number, json_type_double))
		return false;
	*value = json_object_get_double(number);
	return true;
}

const char *field_text(struct json_object *object, const char *name)
{
	struct json_object *text = field_typed(object, name, json_type_string);

	return text ? json_object_get_string(text) : NULL;
}

bool field_true(struct json_object *object, const char *name)
{
	struct json_object *value = field_typed(object, name, json_type_boolean);

	return value && json_object_get_boolean(value);
}

size_t field_length(struct json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}

void put_count(struct json_object *object, const char *name, int64_t value)
{
	json_object_object_add(object, name, json_object_new_int64(value));
}

/* Written from the whole number, so that nothing of it is lost on the way; at least one decimal. */
struct json_object *field_new_seconds(int64_t ns)
{
	uint64_t whole = ns / NS_PER_S, part = ns % NS_PER_S;
	char text[32], *at = text + sizeof(text) - 1;
	int digits = 9;

	*at = '\0';
	for (; digits > 1 && part % 10 == 0; digits--)
		part /= 10;
	for (; digits > 0; digits--, part /= 10)
		*--at = (char)('0' + part % 10);
	*--at = '.';
	do {
		*--at = (char)('0' + whole % 10);
		whole /= 10;
	} while (whole);
	return json_object_new_double_s((double)ns / NS_PER_S, at);
}

void put_seconds(struct json_object *object, const char *name, int64_t ns)
{
	json_object_object_add(object, name, field_new_seconds(ns));
}

static void put_new(struct json_object *object, const char *name, struct json_object *value)
{
	json_object_object_add_ex(object, name, value, JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_KEY_IS_CONSTANT);
}

void put_new_count(struct json_object *object, const char *name, int64_t value)
{
	put_new(object, name, json_object_new_int64(value));
}

void put_new_seconds(struct json_object *object, const char *name, int64_t ns)
{
	put_new(object, name, field_new_seconds(ns));
}

void put_new_time(struct json_object *object, const char *name, int64_t unix_ns)
{
	char text[TIME_TEXT];

	put_new(object, name, json_object_new_string(time_text(unix_ns, text)));
}

void put_new_same(struct json_object *object, const char *name, struct json_object *value)
{
	put_new(object, name, json_object_get(value));
}

void put_ratio(struct json_object *object, const char *name, double value)
{
	char text[340];

	snprintf(text, sizeof(text), "%.6f", value);
	json_object_object_add(object, name, json_object_new_double_s(value, text));
}

static bool is_utf8(const char *text)
{
	size_t length = 1;

	for (; *text && length; text += length)
		length = utf8_length(text);
	return length;
}

void put_text(struct json_object *object, const char *name, const char *text)
{
	cleanup_free char *valid = text && !is_utf8(text) ? utf8_valid(text) : NULL;

	if (text)
		json_object_object_add(object, name, json_object_new_string(valid ? valid : text));
}

void put_time(struct json_object *object, const char *name, int64_t unix_ns)
{
	char text[TIME_TEXT];

	put_text(object, name, time_text(unix_ns, text));
}

void put_flag(struct json_object *object, const char *name, bool value)
{
	json_object_object_add(object, name, json_object_new_boolean(value));
}

void put_null(struct json_object *object, const char *name)
{
	json_object_object_add(object, name, NULL);
}

void put_copy(struct json_object *object, const char *name, struct json_object *from)
{
	if (from)
		json_object_object_add(object, name, json_object_get(from));
}

struct json_object *put_object(struct json_object *object, const char *name)
{
	struct json_object *value = json_object_new_object();

	json_object_object_add(object, name, value);
	return value;
}

struct json_object *put_array(struct json_object *object, const char *name)
{
	struct json_object *value = json_object_new_array();

	json_object_object_add(object, name, value);
	return value;
}

int64_t count_sum(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}
