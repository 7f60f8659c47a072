/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/parts.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>

#include "common/time_text.h"
#include "reports/json/field.h"

#define NS_PER_US INT64_C(1000)

struct json_object *parts_batch_step(struct json_object *report)
{
	struct json_object *steps = field_typed(report, "steps", json_type_array);

	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (field_is(step, "id", "batch"))
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

		if (field_is(tool, "name", name) && !field_true(tool, "slurm"))
			return tool;
	}
	return NULL;
}

int64_t parts_victims(struct json_object *report, const char *name)
{
	struct json_object *list = field_typed(report, "oom", json_type_array);
	int64_t count = 0;

	for (size_t i = 0; name && i < field_length(list); i++)
		count += field_is(json_object_array_get_idx(list, i), "tool", name);
	return count;
}

bool parts_is_of_srun(struct json_object *step)
{
	const char *id = field_text(step, "id");

	return id && isdigit((unsigned char)id[0]);
}

static bool same_text(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

bool parts_is_child(struct json_object *entry, struct json_object *parent)
{
	const char *step = field_text(parent, "step");
	int64_t pid, ppid;

	return field_count(parent, "pid", &pid) && field_count(entry, "ppid", &ppid) && pid == ppid && step &&
	       field_is(entry, "step", step) && same_text(field_text(entry, "node"), field_text(parent, "node"));
}

int64_t parts_shell_code(int64_t status)
{
	int wait_status = (int)(status & 0xffff);

	return WIFSIGNALED(wait_status) ? SIGNAL_CODE + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
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
