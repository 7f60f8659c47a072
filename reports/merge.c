/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/merge.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "collector/common/cleanup.h"
#include "reports/field.h"
#include "reports/record.h"

void merge_put_exit(struct json_object *out, int64_t status)
{
	int wait_status = (int)(status & 0xffff); /* no more bits than these are a wait status */

	put_count(out, "exit_code", WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0);
	put_count(out, "signal", WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0);
}

/* ---- the batch script ---- */

/* Whether @name stands in @command as the last part of the script's path. */
static bool is_script_of(const char *command, const char *name)
{
	const char *at = strstr(command, name);
	char end = at ? at[strlen(name)] : '/';

	return (end == '\0' || end == ' ') && (at == command || at[-1] == '/');
}

void merge_find_script(struct json_object *slurm, int64_t job_id, struct merge_script *script)
{
	const char *command = field_text(slurm, "command"), *job_name = field_text(slurm, "name"), *slash;

	script->job_id = job_id;
	script->name[0] = '\0';
	if (!command)
		return;
	slash = strrchr(command, '/');
	/* Slurm tells arguments behind the path, and a path may have spaces, too: only what is sure is taken. */
	if (!strchr(command, ' '))
		snprintf(script->name, sizeof(script->name), "%s", slash ? slash + 1 : command);
	else if (job_name && *job_name && is_script_of(command, job_name))
		snprintf(script->name, sizeof(script->name), "%s", job_name);
}

static const char *tool_name(struct json_object *tool, const struct merge_script *script)
{
	const char *name = field_text(tool, "name"), *path = field_text(tool, "path");
	char copy[64];
	size_t length = snprintf(copy, sizeof(copy), "/job%05lld/slurm_script", (long long)script->job_id);

	if (script->name[0] && path && strlen(path) > length && strcmp(path + strlen(path) - length, copy) == 0)
		return script->name;
	return name;
}

/* ---- timeline ---- */

struct moment {
	int64_t start_ns;
	size_t serial; /* those that started at once stay in the record's order */
	struct json_object *entry;
	struct json_object *tool;
	const char *node;
};

static int compare_moments(const void *a, const void *b)
{
	const struct moment *one = a, *other = b;

	if (one->start_ns != other->start_ns)
		return one->start_ns < other->start_ns ? -1 : 1;
	return one->serial < other->serial ? -1 : one->serial > other->serial;
}

static void copy_count(struct json_object *out, const char *to, struct json_object *from, const char *name)
{
	int64_t value;

	if (field_count(from, name, &value))
		put_count(out, to, value);
}

static void copy_seconds(struct json_object *out, const char *to, struct json_object *from, const char *name)
{
	int64_t ns;

	if (field_count(from, name, &ns))
		put_seconds(out, to, ns);
}

static void copy_time(struct json_object *out, const char *to, struct json_object *from, const char *name)
{
	int64_t ns;

	if (field_count(from, name, &ns))
		put_time(out, to, ns);
}

static struct json_object *timeline_entry(const struct moment *moment, const struct merge_script *script)
{
	struct json_object *out = json_object_new_object(), *entry = moment->entry;
	int64_t status;

	put_text(out, "tool", tool_name(moment->tool, script));
	put_text(out, "interpreter", field_text(moment->tool, "interpreter"));
	put_text(out, "node", moment->node);
	put_text(out, "step", field_text(entry, "step"));
	copy_count(out, "count", entry, "count");
	copy_count(out, "failures", entry, "failures");
	copy_count(out, "pid", entry, "pid");
	copy_count(out, "ppid", entry, "ppid");
	if (field_true(entry, "forked"))
		put_flag(out, "forked", true);
	copy_time(out, "start", entry, "start_unix_ns");
	copy_time(out, "end", entry, "end_unix_ns");
	copy_seconds(out, "wall_s", entry, "wall_ns");
	copy_seconds(out, "cpu_s", entry, "cpu_ns");
	copy_count(out, "peak_bytes", entry, "peak_bytes");
	copy_count(out, "read_bytes", entry, "read_bytes");
	copy_count(out, "write_bytes", entry, "write_bytes");
	if (field_count(entry, "exit_status", &status))
		merge_put_exit(out, status);
	return out;
}

/* Fills @moments from one record; an entry of no known tool or start is none. */
static size_t collect_moments(struct json_object *record, struct moment *moments, size_t serial)
{
	struct json_object *timeline = field_typed(record, "timeline", json_type_array);
	struct json_object *tools = field_typed(record, "tools", json_type_array);
	size_t used = 0;

	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);
		struct moment moment = { .entry = entry, .node = record_node(record), .serial = serial + used };
		int64_t tool;

		if (!field_count(entry, "tool", &tool) || (uint64_t)tool >= field_length(tools) ||
		    !field_count(entry, "start_unix_ns", &moment.start_ns))
			continue;
		moment.tool = json_object_array_get_idx(tools, tool);
		moments[used++] = moment;
	}
	return used;
}

struct json_object *merge_timeline(struct json_object *const records[], size_t count,
				   const struct merge_script *script)
{
	struct json_object *out = json_object_new_array();
	cleanup_free struct moment *moments = NULL;
	size_t room = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		room += field_length(field_typed(records[i], "timeline", json_type_array));
	moments = calloc(room + 1, sizeof(*moments));
	if (!moments)
		return out;
	for (size_t i = 0; i < count; i++)
		used += collect_moments(records[i], moments + used, used);
	qsort(moments, used, sizeof(*moments), compare_moments);
	for (size_t i = 0; i < used; i++)
		json_object_array_add(out, timeline_entry(&moments[i], script));
	return out;
}

/* ---- tools ---- */

struct tool {
	struct json_object *first; /* its names */
	int64_t runs, forks, failures, signals;
	int64_t cpu_ns, wall_ns, read_bytes, write_bytes;
	int64_t peak_bytes; /* 0: not known */
	int64_t threads_peak;
	int64_t first_start_ns, last_end_ns; /* 0: not known */
};

static int compare_texts(struct json_object *a, struct json_object *b, const char *name)
{
	const char *one = field_text(a, name), *other = field_text(b, name);

	return strcmp(one ? one : "", other ? other : "");
}

/* Orders tools by what makes them one and the same. */
static int compare_identity(const void *a, const void *b)
{
	struct json_object *one = ((const struct tool *)a)->first, *other = ((const struct tool *)b)->first;
	static const char *const names[] = { "name", "interpreter", "path", "interpreter_path" };
	int order = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !order; i++)
		order = compare_texts(one, other, names[i]);
	return order ? order : field_true(one, "slurm") - field_true(other, "slurm");
}

static int compare_cpu(const void *a, const void *b)
{
	const struct tool *one = a, *other = b;

	if (one->cpu_ns != other->cpu_ns)
		return one->cpu_ns > other->cpu_ns ? -1 : 1;
	if (one->wall_ns != other->wall_ns)
		return one->wall_ns > other->wall_ns ? -1 : 1;
	return compare_identity(a, b);
}

static void read_tool(struct json_object *json, struct tool *tool)
{
	memset(tool, 0, sizeof(*tool));
	tool->first = json;
	field_count(json, "runs", &tool->runs);
	field_count(json, "forks", &tool->forks);
	field_count(json, "failures", &tool->failures);
	field_count(json, "signals", &tool->signals);
	field_count(json, "cpu_ns", &tool->cpu_ns);
	field_count(json, "wall_ns", &tool->wall_ns);
	field_count(json, "read_bytes", &tool->read_bytes);
	field_count(json, "write_bytes", &tool->write_bytes);
	field_count(json, "peak_bytes", &tool->peak_bytes);
	field_count(json, "threads_peak", &tool->threads_peak);
	field_count(json, "first_start_unix_ns", &tool->first_start_ns);
	field_count(json, "last_end_unix_ns", &tool->last_end_ns);
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return !a || (b && b < a) ? b : a;
}

static void join_tool(struct tool *tool, const struct tool *other)
{
	tool->runs = count_sum(tool->runs, other->runs);
	tool->forks = count_sum(tool->forks, other->forks);
	tool->failures = count_sum(tool->failures, other->failures);
	tool->signals = count_sum(tool->signals, other->signals);
	tool->cpu_ns = count_sum(tool->cpu_ns, other->cpu_ns);
	tool->wall_ns = count_sum(tool->wall_ns, other->wall_ns);
	tool->read_bytes = count_sum(tool->read_bytes, other->read_bytes);
	tool->write_bytes = count_sum(tool->write_bytes, other->write_bytes);
	tool->peak_bytes = larger(tool->peak_bytes, other->peak_bytes);
	tool->threads_peak = larger(tool->threads_peak, other->threads_peak);
	tool->first_start_ns = earlier(tool->first_start_ns, other->first_start_ns);
	tool->last_end_ns = larger(tool->last_end_ns, other->last_end_ns);
}

static struct json_object *tool_object(const struct tool *tool, const struct merge_script *script)
{
	struct json_object *out = json_object_new_object();

	put_text(out, "name", tool_name(tool->first, script));
	put_text(out, "interpreter", field_text(tool->first, "interpreter"));
	put_text(out, "path", field_text(tool->first, "path"));
	put_text(out, "interpreter_path", field_text(tool->first, "interpreter_path"));
	put_flag(out, "slurm", field_true(tool->first, "slurm"));
	put_count(out, "runs", tool->runs);
	put_count(out, "forks", tool->forks);
	put_count(out, "failures", tool->failures);
	put_count(out, "signals", tool->signals);
	put_seconds(out, "cpu_s", tool->cpu_ns);
	put_seconds(out, "wall_s", tool->wall_ns);
	if (tool->peak_bytes)
		put_count(out, "peak_bytes", tool->peak_bytes);
	put_count(out, "read_bytes", tool->read_bytes);
	put_count(out, "write_bytes", tool->write_bytes);
	put_count(out, "threads_peak", tool->threads_peak);
	if (tool->first_start_ns)
		put_time(out, "first_start", tool->first_start_ns);
	if (tool->last_end_ns)
		put_time(out, "last_end", tool->last_end_ns);
	return out;
}

static size_t collect_tools(struct json_object *const records[], size_t count, struct tool *tools)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		struct json_object *array = field_typed(records[i], "tools", json_type_array);

		for (size_t t = 0; t < field_length(array); t++) {
			struct json_object *json = json_object_array_get_idx(array, t);

			if (field_text(json, "name"))
				read_tool(json, &tools[used++]);
		}
	}
	return used;
}

struct json_object *merge_tools(struct json_object *const records[], size_t count, const struct merge_script *script)
{
	struct json_object *out = json_object_new_array();
	cleanup_free struct tool *tools = NULL;
	size_t room = 0, used, distinct = 0;

	for (size_t i = 0; i < count; i++)
		room += field_length(field_typed(records[i], "tools", json_type_array));
	tools = calloc(room + 1, sizeof(*tools));
	if (!tools)
		return out;
	used = collect_tools(records, count, tools);
	qsort(tools, used, sizeof(*tools), compare_identity);
	for (size_t i = 0; i < used; i++) {
		if (distinct > 0 && compare_identity(&tools[distinct - 1], &tools[i]) == 0)
			join_tool(&tools[distinct - 1], &tools[i]);
		else
			tools[distinct++] = tools[i];
	}
	qsort(tools, distinct, sizeof(*tools), compare_cpu);
	for (size_t i = 0; i < distinct; i++)
		json_object_array_add(out, tool_object(&tools[i], script));
	return out;
}
