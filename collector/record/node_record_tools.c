/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the job's tools and its timeline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/job/use.h"
#include "collector/record/node_record_internal.h"
#include "common/json_writer.h"
#include "common/memory/array.h"
#include "common/utf8.h"

static void collect(uint64_t id, const struct tool *tool, void *data)
{
	struct build *b = data;

	if (!array_room(&b->listed, b->tool_count, sizeof(*b->listed))) {
		b->tools_failed = true;
		return;
	}
	b->listed[b->tool_count++] = (struct listed_tool){ .id = id, .tool = *tool };
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

/* A relative path is below the directory in which the script was started. */
static void add_script_path(struct json_object *object, const struct tool *tool)
{
	char path[2 * ABI_PATH_MAX + 2];
	const char *script = tool->script;

	if (script[0] != '/' && !tool->directory[0])
		return; /* the name of a module or class */
	while (strncmp(script, "./", 2) == 0)
		script += 2;
	snprintf(path, sizeof(path), "%s%s%s", script[0] == '/' ? "" : tool->directory,
		 script[0] == '/' || strcmp(tool->directory, "/") == 0 ? "" : "/", script);
	put_known_text(object, "path", path);
}

/* Returns @text. If the kernel cut @text at @room bytes, returns a @copy that ends with "...". */
static const char *shown(const char *text, size_t room, char copy[ABI_PATH_MAX + 4])
{
	size_t length = strlen(text);

	if (length < room - 1)
		return text;
	snprintf(copy, ABI_PATH_MAX + 4, "%.*s...", (int)utf8_whole(text, length), text);
	return copy;
}

/* Returns the script's name. A name of ABI_COMM_MAX - 1 bytes may be a whole comm, so it gets no "...". */
static const char *script_shown(const struct tool *tool, char copy[ABI_PATH_MAX + 4])
{
	size_t length = strlen(tool->script);

	if (length != ABI_COMM_MAX - 1)
		return shown(tool->script, sizeof(tool->script), copy);
	snprintf(copy, ABI_PATH_MAX + 4, "%.*s", (int)utf8_whole(tool->script, length), tool->script);
	return copy;
}

void node_record_tool_name(const struct listed_tool *listed, char name[ABI_PATH_MAX + 4])
{
	const struct tool *tool = &listed->tool;
	char copy[ABI_PATH_MAX + 4];

	snprintf(name, ABI_PATH_MAX + 4, "%s",
		 listed->id == ABI_TOOL_OTHER ? "(other tools)" :
		 tool->script[0] && !tool->runtime ? base_of(script_shown(tool, copy)) :
						shown(tool->name, sizeof(tool->name), copy));
}

static void add_names(struct json_object *object, const struct listed_tool *listed)
{
	const struct tool *tool = &listed->tool;
	char name[ABI_PATH_MAX + 4];

	node_record_tool_name(listed, name);
	put_known_text(object, "name", name);
	if (listed->id == ABI_TOOL_OTHER)
		return;
	if (tool->runtime) {
		node_record_add_image(object, tool);
		if (!tool->cut && tool->runtime != TOOL_RUNTIME_SCRIPT)
			put_known_text(object, "path", tool->path);
		return;
	}
	if (tool->script[0])
		put_known_text(object, "interpreter", shown(tool->name, sizeof(tool->name), name));
	if (tool->cut) /* a cut path would be another path */
		return;
	if (tool->script[0])
		add_script_path(object, tool);
	put_known_text(object, tool->script[0] ? "interpreter_path" : "path", tool->path);
}

/* Returns false if no run of @tool has ended, and live processes could not be read. */
static bool sums_known(const struct build *b, const struct tool *tool)
{
	return !b->job->queried || b->living_known || tool->last_end_ns;
}

static void add_sums(const struct build *b, struct json_object *object, const struct listed_tool *listed)
{
	const struct tool *tool = &listed->tool;

	if (b->job->queried && b->living_known)
		put_count(object, "living", listed->living);
	if (!sums_known(b, tool))
		return;
	use_add(object, tool->use, USES, b->uncounted);
	put_count(object, "wall_ns", tool->wall_ns);
	put_count(object, "threads_peak", tool->threads_peak);
	if (tool->openmp)
		put_count(object, "openmp_processes", tool->openmp);
	if (tool->blas)
		put_count(object, "blas_processes", tool->blas);
	if (tool->moved_out)
		put_count(object, "moved_out", tool->moved_out);
}

static struct json_object *build_tool(const struct build *b, const struct listed_tool *listed)
{
	const struct tool *tool = &listed->tool;
	struct json_object *object = json_object_new_object();

	add_names(object, listed);
	node_record_add_container(b, object, tool->container);
	if (tool->runtime)
		put_flag(object, "runtime", true);
	put_flag(object, "slurm", tool->slurm);
	put_count(object, "runs", tool->runs);
	put_count(object, "forks", tool->forks);
	put_count(object, "failures", tool->failures);
	put_count(object, "signals", tool->signals);
	put_count(object, "dismissed", tool->dismissed);
	add_sums(b, object, listed);
	if (tool->peak_bytes)
		put_count(object, "peak_bytes", tool->peak_bytes);
	if (tool->used_peak_bytes)
		put_count(object, "used_peak_bytes", tool->used_peak_bytes);
	if (tool->first_start_ns)
		put_count(object, "first_start_unix_ns", tool->first_start_ns + b->to_unix_ns);
	if (tool->last_end_ns)
		put_count(object, "last_end_unix_ns", tool->last_end_ns + b->to_unix_ns);
	return object;
}

/* The other parts of the record need the index of a tool. */
static int keep_ids(struct build *b)
{
	b->tools = calloc(b->tool_count, sizeof(*b->tools));
	if (!b->tools)
		return -1;
	for (size_t i = 0; i < b->tool_count; i++) {
		b->tools[i] = b->listed[i].id;
		b->others |= b->listed[i].id == ABI_TOOL_OTHER;
	}
	return 0;
}

void node_record_read_tools(struct build *b)
{
	if (b->job->key && programs__tools(b->source->programs, b->job->key, collect, b) < 0)
		b->tools_failed = true;
	if (b->tool_count)
		qsort(b->listed, b->tool_count, sizeof(*b->listed), by_serial);
	if (b->tool_count && keep_ids(b) < 0) {
		b->tools_failed = true;
		b->tool_count = 0;
	}
}

struct listed_tool *node_record_tool(const struct build *b, uint64_t id)
{
	for (size_t i = 0; i < b->tool_count; i++)
		if (b->tools[i] == id)
			return &b->listed[i];
	return NULL;
}

void node_record_tools(struct build *b)
{
	struct json_object *array = json_object_new_array();
	bool cut = false;

	json_object_object_add(b->record, "tools", array);
	if (b->tools_failed)
		node_record_gap(b, "tools", "out of memory");
	for (size_t i = 0; i < b->tool_count; i++) {
		json_object_array_add(array, build_tool(b, &b->listed[i]));
		cut |= b->listed[i].tool.cut;
		b->images += b->listed[i].tool.runs + b->listed[i].tool.forks;
	}
	if (cut)
		node_record_gap(b, "tools.path", "the path of a tool is too long, and is left out");
}

bool node_record_add_tool(const struct build *b, struct json_object *object, uint64_t id)
{
	const struct listed_tool *tool = node_record_tool(b, id);

	if (tool)
		put_count(object, "tool", tool - b->listed);
	return tool;
}

static struct json_object *build_entry(const struct build *b, const struct timeline_entry *entry)
{
	struct json_object *object = json_object_new_object();

	if (!node_record_add_tool(b, object, entry->tool)) {
		json_object_put(object);
		return NULL;
	}
	node_record_add_step(b, object, entry->step);
	node_record_add_container(b, object, entry->container);
	put_count(object, "count", entry->count);
	put_count(object, "failures", entry->failures);
	if (entry->count == 1) {
		put_count(object, "pid", entry->pid);
		put_count(object, "ppid", entry->ppid);
		if (!(entry->flags & EVENT_REPLACED))
			put_count(object, "exit_status", entry->status);
	}
	if (entry->flags & EVENT_DISMISSED)
		put_flag(object, "dismissed", true);
	if (!(entry->flags & EVENT_EXECED))
		put_flag(object, "forked", true);
	put_count(object, "start_unix_ns", entry->start_ns + b->to_unix_ns);
	put_count(object, "end_unix_ns", entry->end_ns + b->to_unix_ns);
	put_count(object, "wall_ns", entry->wall_ns);
	if (entry->peak_bytes)
		put_count(object, "peak_bytes", entry->peak_bytes);
	use_add(object, entry->use, ABI_USES_SENT, b->uncounted);
	return object;
}

/* Returns NULL if the tool began only after the list of tools was read. */
static struct json_object *build_living(const struct build *b, const struct living *living, uint64_t now)
{
	struct json_object *object = json_object_new_object();

	if (!node_record_add_tool(b, object, living->tool)) {
		json_object_put(object);
		return NULL;
	}
	node_record_add_step(b, object, living->step);
	node_record_add_container(b, object, living->container);
	put_count(object, "count", 1);
	put_count(object, "failures", 0);
	put_count(object, "pid", living->pid);
	put_count(object, "ppid", living->ppid);
	if (!(living->flags & EVENT_EXECED))
		put_flag(object, "forked", true);
	put_flag(object, "living", true);
	put_count(object, "start_unix_ns", living->start_ns + b->to_unix_ns);
	put_count(object, "wall_ns", now > living->start_ns ? now - living->start_ns : 0);
	use_add(object, living->use, ABI_USES_SENT, b->uncounted);
	return object;
}

static void add_living(struct build *b, struct json_object *array)
{
	size_t max = b->source->conf->timeline_entries, count = b->living_count < max ? b->living_count : max;

	for (size_t i = 0; i < count; i++) {
		struct json_object *entry = build_living(b, &b->living[i], b->job->closing.close_ns);

		if (entry)
			json_object_array_add(array, entry);
	}
	if (b->living_count > count)
		node_record_gap(b, "timeline",
				"more processes are alive than stint lists one by one; the sums include all of them");
}

void node_record_timeline(struct build *b)
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
	add_living(b, array);
}
