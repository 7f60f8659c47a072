/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/settled.h"

#include "common/memory/arena.h"

struct settled *settled_new(void)
{
	struct report *part = report_new(NULL);
	struct settled *settled = part ? arena_get(report_arena(part), sizeof(*settled)) : NULL;

	if (settled)
		*settled = (struct settled){ .part = part };
	else
		report_free(part);
	return settled;
}

static void forget(struct json_object *record, void *settled)
{
	(void)record;
	report_free(((struct settled *)settled)->part);
}

void settled_attach(struct json_object *record, struct settled *settled)
{
	json_object_set_userdata(record, settled, forget);
}

const struct settled *settled_of(struct json_object *record)
{
	return json_object_is_type(record, json_type_object) ? json_object_get_userdata(record) : NULL;
}
