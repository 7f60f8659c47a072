/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/utf8.h"

void json_add_number(struct json_object *object, const char *name, int64_t value)
{
	json_object_object_add(object, name, json_object_new_int64(value));
}

void json_add_text(struct json_object *object, const char *name, const char *text)
{
	cleanup_free char *valid = text[0] ? utf8_valid(text) : NULL;

	if (valid)
		json_object_object_add(object, name, json_object_new_string(valid));
}

void json_add_path(struct json_object *object, const char *name, const char *hex_name, const char *path)
{
	cleanup_free char *valid = path[0] ? utf8_valid(path) : NULL;
	cleanup_free char *hex = NULL;
	size_t length = strlen(path);

	if (!valid)
		return;
	json_object_object_add(object, name, json_object_new_string(valid));
	if (strcmp(valid, path) == 0)
		return;
	hex = malloc(2 * length + 1);
	for (size_t i = 0; hex && i < length; i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned char)path[i]);
	if (hex)
		json_object_object_add(object, hex_name, json_object_new_string(hex));
}
