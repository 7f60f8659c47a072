/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/record_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/json.h"

struct listed_tool {
	uint64_t id;
	struct tool tool;
};

struct tool_list {
	struct listed_tool *tools;
	size_t count;
	size_t room;
	bool failed;
};

static void collect(uint64_t id, const struct tool *tool, void *data)
{
	struct tool_list *list = data;

	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 64;
		struct listed_tool *tools = realloc(list->tools, room * sizeof(*tools));

		if (!tools) {
			list->failed = true;
			return;
		}
		list->tools = tools;
		list->room = room;
	}
	list->tools[list->count].id = id;
	list->tools[list->count++].tool = *tool;
}

static int by_serial(const void *left, const void *right)
{
	const struct listed_tool *a = left, *b = right;

	return (a->tool.serial > b->tool.serial) - (a->tool.serial < b->tool.serial);
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The script's path: as given, below the directory it was given in. */
static void add_script_path(struct json_object *object, const struct tool *tool)
{
	char path[2 * RECORD_PATH_MAX + 2];
	const char *script = tool->script;

	if (script[0] != '/' && !tool->directory[0])
		return; /* a module's or a class' name, not a path */
	while (strncmp(script, "./", 2) == 0)
		script += 2;
	snprintf(path, sizeof(path), "%s%s%s", script[0] == '/' ? "" : tool->directory,
		 script[0] == '/' || strcmp(tool->directory, "/") == 0 ? "" : "/", script);
	json_add_text(object, "path", path);
}

static void add_names(struct json_object *object, uint64_t id, const struct tool *tool)
{
	if (id == RECORD_TOOL_OTHER) {
		json_add_text(object, "name", "(other tools)");
		return;
	}
	json_add_text(object, "name", tool->script[0] ? base_of(tool->script) : tool->name);
	if (tool->script[0])
		json_add_text(object, "interpreter", tool->name);
	if (tool->cut) /* part of a path is another path */
		return;
	if (tool->script[0])
		add_script_path(object, tool);
	json_add_text(object, tool->script[0] ? "interpreter_path" : "path", tool->path);
}

static int64_t positive(uint64_t value)
{
	return (int64_t)value > 0 ? (int64_t)value : 0;
}

static struct json_object *build_tool(const struct listed_tool *listed, int64_t to_unix_ns)
{
	const struct tool *tool = &listed->tool;
	struct json_object *object = json_object_new_object();

	add_names(object, listed->id, tool);
	json_object_object_add(object, "slurm", json_object_new_boolean(tool->slurm));
	json_add_number(object, "runs", tool->runs);
	json_add_number(object, "forks", tool->forks);
	json_add_number(object, "failures", tool->failures);
	json_add_number(object, "signals", tool->signals);
	json_add_number(object, "cpu_ns", positive(tool->cpu_ns));
	json_add_number(object, "user_ns", tool->user_ns);
	json_add_number(object, "system_ns", tool->system_ns);
	json_add_number(object, "wall_ns", tool->wall_ns);
	if (tool->peak_bytes)
		json_add_number(object, "peak_bytes", tool->peak_bytes);
	json_add_number(object, "read_bytes", positive(tool->read_bytes));
	json_add_number(object, "write_bytes", positive(tool->write_bytes));
	json_add_number(object, "threads_peak", tool->threads_peak);
	if (tool->first_start_ns)
		json_add_number(object, "first_start_unix_ns", tool->first_start_ns + to_unix_ns);
	if (tool->last_end_ns)
		json_add_number(object, "last_end_unix_ns", tool->last_end_ns + to_unix_ns);
	return object;
}

/* Where the tool @id stands in the list, or -1: then it was never made, for want of room. */
static int tool_index(const struct tool_list *list, uint64_t id)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->tools[i].id == id)
			return i;
	return -1;
}

static const char *step_of(const struct job *job, uint64_t cgroup, char text[16])
{
	for (uint32_t i = 0; i < job->step_count; i++)
		if (job->steps[i].cgroup == cgroup)
			return job_step_name(job->steps[i].id, text);
	return NULL;
}

static struct json_object *build_entry(const struct job *job, const struct timeline_entry *entry, int tool,
				       int64_t to_unix_ns)
{
	struct json_object *object = json_object_new_object();
	const char *step;
	char name[16];

	json_add_number(object, "tool", tool);
	step = step_of(job, entry->step, name);
	if (step)
		json_add_text(object, "step", step);
	json_add_number(object, "count", entry->count);
	json_add_number(object, "failures", entry->failures);
	if (entry->count == 1) {
		json_add_number(object, "pid", entry->pid);
		json_add_number(object, "ppid", entry->ppid);
		if (!(entry->flags & EVENT_REPLACED))
			json_add_number(object, "exit_status", entry->status);
	}
	if (!(entry->flags & EVENT_EXECED))
		json_object_object_add(object, "forked", json_object_new_boolean(true));
	json_add_number(object, "start_unix_ns", entry->start_ns + to_unix_ns);
	json_add_number(object, "end_unix_ns", entry->end_ns + to_unix_ns);
	json_add_number(object, "wall_ns", entry->wall_ns);
	json_add_number(object, "cpu_ns", entry->cpu_ns);
	json_add_number(object, "read_bytes", entry->read_bytes);
	json_add_number(object, "write_bytes", entry->write_bytes);
	if (entry->peak_bytes)
		json_add_number(object, "peak_bytes", entry->peak_bytes);
	return object;
}

static struct json_object *build_timeline(struct job *job, const struct tool_list *list, int64_t to_unix_ns, size_t max)
{
	struct json_object *array = json_object_new_array();

	if (job->about.mode == CONTROL_MODE_SUMMARY)
		return array;
	timeline_coalesce(&job->timeline, max);
	timeline_sort(&job->timeline);
	for (size_t i = 0; i < job->timeline.count; i++) {
		const struct timeline_entry *entry = &job->timeline.entries[i];
		int tool = tool_index(list, entry->tool);

		if (tool >= 0)
			json_object_array_add(array, build_entry(job, entry, tool, to_unix_ns));
	}
	return array;
}

int record_tools_add(const struct record_source *source, struct job *job, int64_t to_unix_ns,
		     struct json_object *record, bool *cut)
{
	struct json_object *tools = json_object_new_array();
	struct tool_list list = {};

	if (job->key && programs__tools(source->programs, job->key, collect, &list) < 0)
		list.failed = true;
	if (list.failed)
		list.count = 0;
	if (list.count)
		qsort(list.tools, list.count, sizeof(*list.tools), by_serial);
	*cut = false;
	for (size_t i = 0; i < list.count; i++) {
		json_object_array_add(tools, build_tool(&list.tools[i], to_unix_ns));
		*cut |= list.tools[i].tool.cut;
	}
	json_object_object_add(record, "tools", tools);
	json_object_object_add(record, "timeline",
			       build_timeline(job, &list, to_unix_ns, source->conf->timeline_entries));
	free(list.tools);
	return list.failed ? -1 : 0;
}
