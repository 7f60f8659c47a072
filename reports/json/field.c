/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/field.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "common/memory/memory_limit.h"

#define DEPTH_MAX 16 /* no format of stint nests deeper */

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

/* Returns the length of the JSON number at @text (RFC 8259, section 6); 0 if there is none. */
static size_t number_length(const char *text)
{
	static const char digits[] = "0123456789";
	const char *at = text + (*text == '-');
	size_t whole = strspn(at, digits), more;

	if (!whole || (*at == '0' && whole > 1))
		return 0;
	at += whole;
	if (*at == '.') {
		more = strspn(at + 1, digits);
		if (!more)
			return 0;
		at += 1 + more;
	}
	if (*at == 'e' || *at == 'E') {
		at += 1 + (at[1] == '+' || at[1] == '-');
		more = strspn(at, digits);
		if (!more)
			return 0;
		at += more;
	}
	return (size_t)(at - text);
}

/* The length includes the quotes. */
static size_t text_length(const char *text)
{
	const char *at = text + 1;

	while (*at && *at != '"')
		at += *at == '\\' && at[1] ? 2 : 1;
	return (size_t)(at - text) + (*at == '"');
}

/* Returns whether json-c reads a value that begins with @c as a number. */
static bool begins_number(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == 'N' || c == 'I';
}

/*
 * Finds the first number that JSON does not allow. Even in strict mode, json-c accepts NaN, Infinity, 01, 1. and -.5.
 * json-c also writes most of these numbers unchanged, and other programs cannot read them.
 *
 * @data: an object or a list that json-c accepts
 *
 * Returns the offset of the number; @len if there is none.
 */
static size_t find_odd_number(const char *data, size_t len)
{
	size_t at = 0, length = 1;

	for (; at < len && length; at += length) {
		if (data[at] == '"')
			length = text_length(data + at);
		else if (data[at] == '\'')
			length = 0;
		else
			length = begins_number(data[at]) ? number_length(data + at) : 1;
	}
	return at;
}

struct json_object *field_parse(const char *data, size_t len, const char *name, enum json_type type,
				struct error *err)
{
	struct json_tokener *tokener;
	struct json_object *value;
	enum json_tokener_error why;
	unsigned long line, column, failures = memory_failures();
	size_t end;
	bool whole;

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
	/* The NUL after the data ends a value that is cut short. */
	value = json_tokener_parse_ex(tokener, data, (int)len);
	why = json_tokener_get_error(tokener);
	end = json_tokener_get_parse_end(tokener);
	json_tokener_free(tokener);
	/* If memory runs out, json-c leaves out values and reports no error. */
	if (memory_failures() != failures) {
		json_object_put(value);
		error_set(err, "%s: out of memory", name);
		errno = ENOMEM;
		return NULL;
	}
	if (why == json_tokener_success)
		end += strspn(data + end, " \t\r\n");
	whole = why == json_tokener_success && end == len;
	if (whole)
		end = find_odd_number(data, len);
	if (whole && end == len) {
		if (json_object_is_type(value, type))
			return value;
		json_object_put(value);
		error_set(err, "%s: not %s", name, type_name(type));
		return NULL;
	}
	json_object_put(value);
	find_position(data, end, &line, &column);
	error_set(err, "%s:%lu:%lu: damaged JSON: %s", name, line, column,
		  whole			       ? "a number or name that JSON does not allow" :
		  why == json_tokener_success  ? "more text follows its end" :
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

bool field_is(struct json_object *object, const char *name, const char *text)
{
	const char *there = field_text(object, name);

	return there && strcmp(there, text) == 0;
}

size_t field_length(struct json_object *array)
{
	return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

int64_t count_sum(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}
