/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/record_parts.h"

#include <stddef.h>

#include "reports/json/field.h"

struct json_object *record_batch_step(struct json_object *record)
{
	struct json_object *steps = field_typed(record, "steps", json_type_array);

	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (field_is(step, "id", "batch"))
			return step;
	}
	return NULL;
}

int64_t record_script_pid(struct json_object *record)
{
	struct json_object *tasks = field_typed(record_batch_step(record), "tasks", json_type_array);
	int64_t pid = -1;

	if (field_length(tasks) > 0)
		field_count(json_object_array_get_idx(tasks, 0), "pid", &pid);
	return pid;
}

bool record_is_child(struct json_object *entry, struct json_object *parent)
{
	const char *step = field_text(parent, "step");
	int64_t pid, ppid;

	return field_count(parent, "pid", &pid) && field_count(entry, "ppid", &ppid) && pid == ppid && step &&
	       field_is(entry, "step", step);
}
