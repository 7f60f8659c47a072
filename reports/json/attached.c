/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/attached.h"

#include <stdlib.h>
#include <string.h>

static void forget(struct json_object *json, void *data)
{
	(void)json;
	free(data);
}

void json_attach(struct json_object *json, const void *data, size_t size)
{
	void *copy = malloc(size);

	if (!copy)
		return;
	memcpy(copy, data, size);
	json_object_set_userdata(json, copy, forget);
}

const void *json_attached(struct json_object *json)
{
	return json_object_is_type(json, json_type_object) ? json_object_get_userdata(json) : NULL;
}
