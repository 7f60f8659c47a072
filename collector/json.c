/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/json.h"

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
