/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/printed.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/printbuf.h>

#include "common/cleanup.h"
#include "reports/json/field.h"

#define VALUE_WEIGHT 64
#define OBJECT_WEIGHT 768
#define MEMBER_WEIGHT 112

struct text {
	int64_t order;
	size_t length;
	char bytes[];
};

static int print(struct json_object *value, struct printbuf *out, int level, int flags)
{
	const struct text *text = json_object_get_userdata(value);

	(void)level;
	(void)flags;
	return printbuf_memappend(out, text->bytes, (int)text->length);
}

static void forget(struct json_object *value, void *text)
{
	(void)value;
	free(text);
}

static struct json_object *make(const char *bytes, size_t length, int64_t order)
{
	struct text *text = malloc(sizeof(*text) + length);
	struct json_object *value = text ? json_object_new_boolean(0) : NULL;

	if (!value) {
		free(text);
		return NULL;
	}
	text->order = order;
	text->length = length;
	memcpy(text->bytes, bytes, length);
	json_object_set_serializer(value, print, text, forget);
	return value;
}

struct json_object *printed_value(struct json_object *value, int64_t order)
{
	cleanup_json struct json_object *printed = value;
	size_t length = 0;
	const char *text = json_object_to_json_string_length(value, PRINTED_FLAGS, &length);

	return text ? make(text, length, order) : NULL;
}

struct json_object *printed_list(struct json_object *list)
{
	cleanup_json struct json_object *printed = list;
	size_t length = 0, around = strlen("[ ");
	const char *text = field_length(list) ? json_object_to_json_string_length(list, PRINTED_FLAGS, &length) : NULL;

	return text && length > 2 * around ? make(text + around, length - 2 * around, 0) : NULL;
}

bool is_printed(struct json_object *value)
{
	return json_object_is_type(value, json_type_boolean) && json_object_get_userdata(value);
}

int64_t printed_order(struct json_object *value)
{
	return ((const struct text *)json_object_get_userdata(value))->order;
}

size_t printed_weight(struct json_object *value)
{
	size_t weight = VALUE_WEIGHT;

	if (is_printed(value)) {
		weight += ((const struct text *)json_object_get_userdata(value))->length;
	} else if (json_object_is_type(value, json_type_object)) {
		weight += OBJECT_WEIGHT;
		json_object_object_foreach (value, name, member)
			weight += MEMBER_WEIGHT + strlen(name) + printed_weight(member);
	} else if (json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++)
			weight += sizeof(void *) + printed_weight(json_object_array_get_idx(value, i));
	} else if (json_object_is_type(value, json_type_string)) {
		weight += json_object_get_string_len(value);
	}
	return weight;
}
