/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tools the job ran, and when. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/utf8.h"
#include "collector/json.h"
#include "collector/record_own.h"
#include "collector/use.h"

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

/* A text that fills all the room there was is cut: between two characters, and it says so. */
static const char *shown(const char *text, size_t room, char copy[RECORD_PATH_MAX + 4])
{
	size_t length = strlen(text);

	if (length < room - 1)
		return text;
	snprintf(copy, RECORD_PATH_MAX + 4, "%.*s...", (int)utf8_whole(text, length), text);
	return copy;
}

/* A task's name, which stands for the script of a program that was started unseen, is cut without a word. */
static const char *script_shown(const struct tool *tool, char copy[RECORD_PATH_MAX + 4])
{
	size_t length = strlen(tool->script);

	if (length != RECORD_COMM_MAX - 1)
		return shown(tool->script, sizeof(tool->script), copy);
	snprintf(copy, RECORD_PATH_MAX + 4, "%.*s", (int)utf8_whole(tool->script, length), tool->script);
	return copy;
}

static void add_names(struct json_object *object, uint64_t id, const struct tool *tool)
{
	char name[RECORD_PATH_MAX + 4], script[RECORD_PATH_MAX + 4];

	if (id == RECORD_TOOL_OTHER) {
		json_add_text(object, "name", "(other tools)");
		return;
	}
	json_add_text(object, "name", tool->script[0] ? base_of(script_shown(tool, script)) :
							shown(tool->name, sizeof(tool->name), name));
	if (tool->script[0])
		json_add_text(object, "interpreter", shown(tool->name, sizeof(tool->name), name));
	if (tool->cut) /* part of a path is another path */
		return;
	if (tool->script[0])
		add_script_path(object, tool);
	json_add_text(object, tool->script[0] ? "interpreter_path" : "path", tool->path);
}

static struct json_object *build_tool(const struct build *b, const struct listed_tool *listed)
{
	const struct tool *tool = &listed->tool;
	struct json_object *object = json_object_new_object();

	add_names(object, listed->id, tool);
	json_object_object_add(object, "slurm", json_object_new_boolean(tool->slurm));
	json_add_number(object, "runs", tool->runs);
	json_add_number(object, "forks", tool->forks);
	json_add_number(object, "failures", tool->failures);
	json_add_number(object, "signals", tool->signals);
	use_add(object, tool->use, USES, b->uncounted);
	json_add_number(object, "wall_ns", tool->wall_ns);
	if (tool->peak_bytes)
		json_add_number(object, "peak_bytes", tool->peak_bytes);
	json_add_number(object, "threads_peak", tool->threads_peak);
	if (tool->first_start_ns)
		json_add_number(object, "first_start_unix_ns", tool->first_start_ns + b->to_unix_ns);
	if (tool->last_end_ns)
		json_add_number(object, "last_end_unix_ns", tool->last_end_ns + b->to_unix_ns);
	return object;
}

/* Keeps their ids, for what points to tools. */
static int keep_ids(struct build *b, const struct tool_list *list)
{
	b->tools = calloc(list->count, sizeof(*b->tools));
	if (!b->tools)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		b->tools[i] = list->tools[i].id;
		b->others |= list->tools[i].id == RECORD_TOOL_OTHER;
	}
	b->tool_count = list->count;
	return 0;
}

void record_tools(struct build *b)
{
	struct json_object *array = json_object_new_array();
	struct tool_list list = {};
	bool cut = false;

	json_object_object_add(b->record, "tools", array);
	if (b->job->key && programs__tools(b->source->programs, b->job->key, collect, &list) < 0)
		list.failed = true;
	if (list.count)
		qsort(list.tools, list.count, sizeof(*list.tools), by_serial);
	if (list.failed || (list.count && keep_ids(b, &list) < 0))
		record_gap(b, "tools", "out of memory");
	for (size_t i = 0; i < b->tool_count; i++) {
		json_object_array_add(array, build_tool(b, &list.tools[i]));
		cut |= list.tools[i].tool.cut;
		b->images += list.tools[i].tool.runs + list.tools[i].tool.forks;
	}
	if (cut)
		record_gap(b, "tools.path", "a tool's path is too long to be kept whole, and left out");
	free(list.tools);
}

bool record_add_tool(const struct build *b, struct json_object *object, uint64_t id)
{
	for (size_t i = 0; i < b->tool_count; i++)
		if (b->tools[i] == id) {
			json_add_number(object, "tool", i);
			return true;
		}
	return false;
}

/* NULL when its tool was never made, for want of room. */
static struct json_object *build_entry(const struct build *b, const struct timeline_entry *entry)
{
	struct json_object *object = json_object_new_object();

	if (!record_add_tool(b, object, entry->tool)) {
		json_object_put(object);
		return NULL;
	}
	record_add_step(b, object, entry->step);
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
	json_add_number(object, "start_unix_ns", entry->start_ns + b->to_unix_ns);
	json_add_number(object, "end_unix_ns", entry->end_ns + b->to_unix_ns);
	json_add_number(object, "wall_ns", entry->wall_ns);
	if (entry->peak_bytes)
		json_add_number(object, "peak_bytes", entry->peak_bytes);
	use_add(object, entry->use, RECORD_USES_TOLD, b->uncounted);
	return object;
}

void record_timeline(struct build *b)
{
	struct json_object *array = json_object_new_array();
	struct timeline *timeline = &b->job->timeline;

	json_object_object_add(b->record, "timeline", array);
	if (b->job->about.mode == CONTROL_MODE_SUMMARY)
		return;
	timeline_coalesce(timeline, b->source->conf->timeline_entries);
	timeline_sort(timeline);
	for (size_t i = 0; i < timeline->count; i++) {
		struct json_object *entry = build_entry(b, &timeline->entries[i]);

		if (entry)
			json_object_array_add(array, entry);
	}
}
