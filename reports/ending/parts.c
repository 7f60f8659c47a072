/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/parts.h"

#include <stddef.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/json/field.h"

#define NS_PER_US INT64_C(1000)

static bool has_text(struct json_object *part, const char *field, const char *text)
{
	const char *there = field_text(part, field);

	return there && strcmp(there, text) == 0;
}

struct json_object *parts_batch_step(struct json_object *report)
{
	struct json_object *steps = field_typed(report, "steps", json_type_array);

	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (has_text(step, "id", "batch"))
			return step;
	}
	return NULL;
}

int64_t parts_script_pid(struct json_object *report)
{
	struct json_object *tasks = field_typed(parts_batch_step(report), "tasks", json_type_array);
	int64_t pid = -1;

	if (field_length(tasks) > 0)
		field_count(json_object_array_get_idx(tasks, 0), "pid", &pid);
	return pid;
}

struct json_object *parts_tool(struct json_object *report, const char *name)
{
	struct json_object *tools = field_typed(report, "tools", json_type_array);

	for (size_t i = 0; name && i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);

		if (has_text(tool, "name", name) && !field_true(tool, "slurm"))
			return tool;
	}
	return NULL;
}

int64_t parts_victims(struct json_object *report, const char *name)
{
	struct json_object *list = field_typed(report, "oom", json_type_array);
	int64_t count = 0;

	for (size_t i = 0; name && i < field_length(list); i++)
		count += has_text(json_object_array_get_idx(list, i), "tool", name);
	return count;
}

bool parts_end(struct json_object *entry, int64_t *end_ns)
{
	int64_t end_us;

	if (field_count(entry, "end_unix_ns", end_ns))
		return true;
	if (!time_parse(field_text(entry, "end"), &end_us))
		return false;
	*end_ns = end_us * NS_PER_US;
	return true;
}
