/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/json_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "common/utf8.h"

void put_count(struct json_object *object, const char *name, int64_t value)
{
	json_object_object_add(object, name, json_object_new_int64(value));
}

char *json_seconds_text(int64_t ns, char text[JSON_SECONDS_TEXT])
{
	uint64_t whole = ns / NS_PER_S, part = ns % NS_PER_S;
	char *at = text + JSON_SECONDS_TEXT - 1;
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
	return at;
}

struct json_object *json_new_seconds(int64_t ns)
{
	char text[JSON_SECONDS_TEXT];

	return json_object_new_double_s((double)ns / NS_PER_S, json_seconds_text(ns, text));
}

void put_seconds(struct json_object *object, const char *name, int64_t ns)
{
	json_object_object_add(object, name, json_new_seconds(ns));
}

void put_new_value(struct json_object *object, const char *name, struct json_object *value)
{
	json_object_object_add_ex(object, name, value, JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_KEY_IS_CONSTANT);
}

void put_new_count(struct json_object *object, const char *name, int64_t value)
{
	put_new_value(object, name, json_object_new_int64(value));
}

void put_ratio(struct json_object *object, const char *name, double value)
{
	char text[340];

	snprintf(text, sizeof(text), JSON_RATIO, value);
	json_object_object_add(object, name, json_object_new_double_s(value, text));
}

void put_text(struct json_object *object, const char *name, const char *text)
{
	cleanup_free char *valid = NULL;

	if (text && !utf8_is_valid(text))
		text = valid = utf8_valid(text);
	if (text)
		json_object_object_add(object, name, json_object_new_string(text));
}

void put_known_text(struct json_object *object, const char *name, const char *text)
{
	if (text && *text)
		put_text(object, name, text);
}

void put_path(struct json_object *object, const char *name, const char *hex_name, const char *path)
{
	cleanup_free char *hex = NULL;
	size_t length = strlen(path);

	put_known_text(object, name, path);
	if (utf8_is_valid(path))
		return;
	hex = malloc(2 * length + 1);
	for (size_t i = 0; hex && i < length; i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned char)path[i]);
	if (hex)
		json_object_object_add(object, hex_name, json_object_new_string(hex));
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
