/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a store line, which may be damaged or made up: what is not of the form is refused, and never guessed. */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/store/store_line.h"
#include "reports/store/store_line_internal.h"

struct reading {
	const char *name;
	struct json_object *line;
	struct json_object *record;
	struct error *err;
};

static int refuse(const struct reading *reading, const char *member)
{
	errno = EBADMSG;
	return error_set(reading->err, "%s: a store line with a damaged '%s'", reading->name, member);
}

/* ---- members ---- */

/* Returns the member of @from at the dotted @name; NULL with *@bad unset: there is none, or it is null. */
static struct json_object *member(struct json_object *from, const char *name, enum json_type type, bool *bad)
{
	struct json_object *value = field_find(from, name);

	if (value && (!json_object_is_type(value, type) ||
		      (type == json_type_int && json_object_get_int64(value) < 0) ||
		      (type == json_type_string && json_object_get_string_len(value) > STORE_NODE_LIST)))
		*bad = true;
	return value;
}

static int take_members(const struct reading *reading, struct json_object *from, struct json_object *out,
			const char *const *names, enum json_type type)
{
	bool bad = false;

	for (; *names; names++) {
		struct json_object *value = member(from, *names, type, &bad);

		if (bad)
			return refuse(reading, *names);
		if (value)
			store_put_at(out, *names, json_object_get(value));
	}
	return 0;
}

/* ---- lists ---- */

/* Whether the elements of @array from @at on are whole numbers or null. */
static bool has_numbers(struct json_object *array, size_t at)
{
	for (; at < field_length(array); at++) {
		struct json_object *value = json_object_array_get_idx(array, at);

		if (value && (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0))
			return false;
	}
	return true;
}

/* Returns the text in the place @at; NULL: there is none. */
static struct json_object *text_at(struct json_object *array, size_t at)
{
	struct json_object *value = at < field_length(array) ? json_object_array_get_idx(array, at) : NULL;

	return json_object_is_type(value, json_type_string) ? value : NULL;
}

/*
 * Finds the list @name of at most @most lists. Returns -1 where it is something else; 0 with *@list NULL: there is
 * none.
 */
static int find_list(const struct reading *reading, const char *name, size_t most, struct json_object **list)
{
	*list = field_find(reading->line, name);
	if (*list && (!json_object_is_type(*list, json_type_array) || field_length(*list) > most))
		return refuse(reading, name);
	for (size_t i = 0; i < field_length(*list); i++)
		if (!json_object_is_type(json_object_array_get_idx(*list, i), json_type_array))
			return refuse(reading, name);
	return 0;
}

/*
 * Makes of the list @from a list of objects as the record has it: the places before @numbers are named by @texts, and
 * the others by @columns.
 */
static int take_list(const struct reading *reading, const char *from, size_t most, const char *const *texts,
		     const char *const *columns, struct json_object *owner, const char *to)
{
	struct json_object *list, *out;
	size_t numbers = 0;

	if (find_list(reading, from, most, &list) < 0)
		return -1;
	if (!list)
		return 0;
	while (texts[numbers])
		numbers++;
	out = put_array(owner, to);
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *array = json_object_array_get_idx(list, i), *object = json_object_new_object();

		json_object_array_add(out, object);
		for (size_t t = 0; t < numbers; t++) {
			struct json_object *value = t < field_length(array) ? json_object_array_get_idx(array, t) : NULL;
			bool number = strcmp(texts[t], "tool") == 0 || strcmp(texts[t], "kind") == 0;

			if (value && (!json_object_is_type(value, number ? json_type_int : json_type_string) ||
				      (number && json_object_get_int64(value) < 0)))
				return refuse(reading, from);
			put_copy(object, texts[t], value);
		}
		if (!has_numbers(array, numbers))
			return refuse(reading, from);
		store_take_columns(array, numbers, object, columns);
	}
	return 0;
}

/* ---- what differs from the record ---- */

static int take_totals(const struct reading *reading)
{
	bool bad = false;
	struct json_object *totals = member(reading->line, "totals", json_type_array, &bad);

	if (bad || !has_numbers(totals, 0))
		return refuse(reading, "totals");
	if (totals)
		store_take_columns(totals, 0, put_object(reading->record, "totals"), store_total_columns);
	return 0;
}

static void give_script(struct json_object *step)
{
	struct json_object *pid = field_find(step, "pid"), *task, *tasks = put_array(step, "tasks");

	if (!pid)
		return;
	task = json_object_new_object();
	put_count(task, "rank", 0);
	put_copy(task, "pid", pid);
	json_object_array_add(tasks, task);
	json_object_object_del(step, "pid");
}

static int take_steps(const struct reading *reading)
{
	static const char *const texts[] = { "id", NULL };
	struct json_object *steps;

	if (take_list(reading, "steps", STORE_STEPS, texts, store_step_columns, reading->record, "steps") < 0)
		return -1;
	steps = field_find(reading->record, "steps");
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i), *processes = field_find(step, "processes");

		give_script(step);
		if (processes)
			put_copy(put_object(step, "totals"), "processes", processes);
		json_object_object_del(step, "processes");
	}
	return 0;
}

static int take_tools(const struct reading *reading)
{
	static const char *const texts[] = { "name", "interpreter", "kind", NULL };
	struct json_object *tools;
	int64_t kind;

	if (take_list(reading, "tools", STORE_LINE_TOOLS + STORE_SLURM_TOOLS + 2, texts, store_tool_columns, reading->record,
		      "tools") < 0)
		return -1;
	tools = field_find(reading->record, "tools");
	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);

		kind = STORE_USERS;
		field_count(tool, "kind", &kind);
		put_flag(tool, "slurm", kind == STORE_SLURMS);
		json_object_object_del(tool, "kind");
	}
	return 0;
}

static int take_waits(const struct reading *reading)
{
	bool bad = false;
	struct json_object *list = member(reading->line, "pressure.waits", json_type_array, &bad), *waits;

	if (bad || field_length(list) > 64)
		return refuse(reading, "pressure.waits");
	if (!list)
		return 0;
	waits = put_object(field_find(reading->record, "pressure") ?: put_object(reading->record, "pressure"), "waits");
	for (size_t i = 0; store_wait_names[i] && i < field_length(list); i++) {
		struct json_object *from = json_object_array_get_idx(list, i), *wait;
		bool zero = json_object_is_type(from, json_type_int) && json_object_get_int64(from) == 0;

		if (!from)
			continue;
		if (!zero && (!json_object_is_type(from, json_type_array) || !has_numbers(from, 0)))
			return refuse(reading, "pressure.waits");
		wait = put_object(waits, store_wait_names[i]);
		for (const char *const *name = store_wait_columns; zero && *name; name++)
			put_count(wait, *name, 0);
		if (!zero)
			store_take_columns(from, 0, wait, store_wait_columns);
	}
	return 0;
}

static int take_gaps(const struct reading *reading)
{
	struct json_object *list, *gaps = put_array(reading->record, "gaps");

	if (find_list(reading, "gaps", STORE_GAPS, &list) < 0)
		return -1;
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *name = text_at(json_object_array_get_idx(list, i), 0),
				   *reason = text_at(json_object_array_get_idx(list, i), 1);

		if (!name || !reason)
			return refuse(reading, "gaps");
		gaps_add(gaps, json_object_get_string(name),
			 json_object_get_string_len(reason) ? json_object_get_string(reason) : "the store does not keep the reason");
	}
	return 0;
}

static int take_lost(const struct reading *reading)
{
	bool bad = false;
	struct json_object *lost = member(reading->line, "lost", json_type_object, &bad), *out = put_object(reading->record, "lost");

	if (bad || (lost && json_object_object_length(lost) > STORE_GAPS))
		return refuse(reading, "lost");
	if (!lost)
		return 0;
	json_object_object_foreach(lost, name, value) {
		if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0)
			return refuse(reading, "lost");
		put_copy(out, name, value);
	}
	return 0;
}

static int64_t number_at(struct json_object *array, size_t at)
{
	struct json_object *value = at < field_length(array) ? json_object_array_get_idx(array, at) : NULL;

	return value ? json_object_get_int64(value) : -1;
}

/* Adds each core of a range, as the report has it. Returns how many; -1: too many, or no range. */
static int64_t put_range(struct json_object *unused, const char *node, struct json_object *range, int64_t room)
{
	int64_t package, first, count;

	if (!json_object_is_type(range, json_type_array) || !has_numbers(range, 0))
		return -1;
	package = number_at(range, 0);
	first = number_at(range, 1);
	count = number_at(range, 2);
	if (count < 1 || count > room || first > INT32_MAX)
		return -1;
	for (int64_t i = 0; i < count; i++) {
		struct json_object *core = json_object_new_object();

		put_text(core, "node", node);
		if (first >= 0)
			put_count(core, "core", first + i);
		if (package >= 0)
			put_count(core, "package", package);
		json_object_array_add(unused, core);
	}
	return count;
}

#define CORES_MAX 65536

static int take_cores(const struct reading *reading)
{
	struct json_object *cores = field_find(reading->line, "allocated.cores"), *ranges = field_find(cores, "unused"), *out, *unused;
	int64_t count, used, left;

	if (!cores)
		return 0;
	if (!field_count(cores, "count", &count) || count > CORES_MAX)
		return refuse(reading, "allocated.cores");
	out = field_find(reading->record, "allocated") ?: put_object(reading->record, "allocated");
	out = put_object(out, "cores_settled");
	put_count(out, "count", count);
	if (!field_count(cores, "used", &used))
		return 0;
	left = count - used;
	if (left < 0 || !json_object_is_type(ranges, json_type_array) || field_length(ranges) > STORE_CORE_RANGES)
		return refuse(reading, "allocated.cores");
	put_count(out, "used", used);
	unused = put_array(out, "unused");
	for (size_t i = 0; i < field_length(ranges); i++) {
		int64_t put = put_range(unused, field_text(reading->record, "identity.node"), json_object_array_get_idx(ranges, i), left);

		if (put < 0)
			return refuse(reading, "allocated.cores");
		left -= put;
	}
	return left == 0 ? 0 : refuse(reading, "allocated.cores");
}

static int take_series(const struct reading *reading)
{
	struct json_object *from = field_find(reading->line, "series"), *list, *series, *ends, *columns;
	int64_t interval, end = 0;

	if (!from)
		return 0;
	if (!field_count(from, "interval_ns", &interval) || find_list(reading, "series.points", STORE_POINTS, &list) < 0 || !list)
		return refuse(reading, "series");
	series = put_object(reading->record, "series");
	put_count(series, "interval_ns", interval);
	ends = put_array(series, "end_offsets_ns");
	columns = put_object(series, "columns");
	for (const char *const *name = store_point_columns; *name; name++)
		put_array(columns, *name);
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *point = json_object_array_get_idx(list, i);

		if (!has_numbers(point, 0) || number_at(point, 0) < 0)
			return refuse(reading, "series");
		end = count_sum(end, number_at(point, 0));
		json_object_array_add(ends, json_object_new_int64(end));
		for (size_t c = 0; store_point_columns[c]; c++) {
			int64_t value = number_at(point, c + 1);

			json_object_array_add(field_find(columns, store_point_columns[c]),
					      value < 0 ? NULL : json_object_new_int64(value));
		}
	}
	return 0;
}

/* The failed processes are the record's timeline. */
static int take_failed(const struct reading *reading)
{
	static const char *const texts[] = { "tool", "step", NULL };
	struct json_object *timeline;
	int64_t forked;

	if (take_list(reading, "failed", STORE_FAILED, texts, store_failed_columns, reading->record, "timeline") < 0)
		return -1;
	timeline = field_find(reading->record, "timeline") ?: put_array(reading->record, "timeline");
	for (size_t i = 0; i < field_length(timeline); i++) {
		struct json_object *entry = json_object_array_get_idx(timeline, i);

		if (field_count(entry, "forked", &forked))
			put_flag(entry, "forked", forked != 0);
		put_count(entry, "count", 1);
	}
	return 0;
}

static int take_lists(const struct reading *reading)
{
	static const char *const of_file_system[] = { "type", NULL }, *const of_oom[] = { "tool", "comm", "step", NULL };
	static const char *const of_stall[] = { "tool", "step", NULL };
	struct json_object *progress = field_find(reading->line, "progress");

	if (take_list(reading, "file_systems", STORE_FILE_SYSTEMS, of_file_system, store_file_system_columns, reading->record,
		      "file_systems") < 0 ||
	    take_list(reading, "oom", STORE_OOM, of_oom, store_oom_columns, reading->record, "oom") < 0)
		return -1;
	if (!json_object_is_type(progress, json_type_object))
		return progress ? refuse(reading, "progress") : 0;
	return take_list(reading, "progress.stalls", STORE_STALLS, of_stall, store_stall_columns,
			 field_find(reading->record, "progress") ?: put_object(reading->record, "progress"), "stalls");
}

static int take_slurm(const struct reading *reading, struct json_object **slurm)
{
	static const char *const names[] = { "name", "node_list", NULL };
	bool bad = false;
	struct json_object *from = member(reading->line, "slurm", json_type_object, &bad), *out, *workflow;

	*slurm = NULL;
	if (bad)
		return refuse(reading, "slurm");
	if (!from)
		return 0;
	*slurm = out = json_object_new_object();
	if (take_members(reading, from, out, store_slurm_numbers, json_type_int) < 0 ||
	    take_members(reading, from, out, store_slurm_texts, json_type_string) < 0 ||
	    take_members(reading, from, out, store_slurm_flags, json_type_boolean) < 0 ||
	    take_members(reading, from, out, names, json_type_string) < 0)
		return -1;
	if (!field_find(from, "time_limit_s") && json_object_object_get_ex(from, "time_limit_s", NULL))
		put_null(out, "time_limit_s");
	workflow = member(from, "workflow", json_type_object, &bad);
	if (bad)
		return refuse(reading, "slurm.workflow");
	if (!workflow)
		return 0;
	return take_members(reading, workflow, put_object(out, "workflow"), store_workflow_texts, json_type_string);
}

/* ---- the line ---- */

static int take_plain(const struct reading *reading)
{
	static const char *const flags[] = { "complete", NULL }, *const lists[] = { "node_list", NULL };
	struct json_object *clock_set = field_find(reading->line, "clock_set_ns");
	int64_t files;

	put_count(reading->record, "stint_record", RECORD_VERSION);
	if (take_members(reading, reading->line, reading->record, store_numbers, json_type_int) < 0 ||
	    take_members(reading, reading->line, reading->record, store_texts, json_type_string) < 0 ||
	    take_members(reading, reading->line, reading->record, lists, json_type_string) < 0 ||
	    take_members(reading, reading->line, reading->record, flags, json_type_boolean) < 0)
		return -1;
	if (clock_set && !json_object_is_type(clock_set, json_type_int))
		return refuse(reading, "clock_set_ns");
	put_copy(reading->record, "clock_set_ns", clock_set);
	/* Which files there were is not kept, but that they were counted. */
	if (field_count(reading->record, "files_count", &files))
		put_array(reading->record, "files");
	return 0;
}

static int check_version(const struct reading *reading)
{
	int64_t version;

	errno = EBADMSG;
	if (!field_count(reading->line, "stint_store", &version))
		return error_set(reading->err, "%s: not a store line", reading->name);
	errno = EPROTONOSUPPORT;
	if (version != STORE_LINE_VERSION)
		return error_set(reading->err, "%s: a store line of version %lld; this stint reads version %d", reading->name,
				 (long long)version, STORE_LINE_VERSION);
	return 0;
}

/*
 * Two nodes whose names are the same as far as the tables keep them would be one, and the tables refuse that for all
 * jobs.
 */
static int check_names(const struct reading *reading)
{
	const char *cluster = field_text(reading->record, "identity.cluster"), *node = field_text(reading->record, "identity.node");

	if (cluster && strlen(cluster) > STORE_LINE_NAME)
		return refuse(reading, "identity.cluster");
	return node && strlen(node) > STORE_LINE_NAME ? refuse(reading, "identity.node") : 0;
}

static int take_line(const struct reading *reading, struct store_line *line)
{
	if (check_version(reading) < 0)
		return -1;
	if (!field_count(reading->line, "revision", &line->revision))
		return refuse(reading, "revision");
	field_count(reading->line, "amended", &line->amended);
	if (take_plain(reading) < 0 || record_identify(reading->record, reading->name, &line->identity, reading->err) < 0 ||
	    check_names(reading) < 0)
		return -1;
	if (take_gaps(reading) < 0 || take_lost(reading) < 0 || take_totals(reading) < 0 || take_steps(reading) < 0 ||
	    take_waits(reading) < 0 || take_lists(reading) < 0 || take_cores(reading) < 0 || take_series(reading) < 0 ||
	    take_tools(reading) < 0 || take_failed(reading) < 0)
		return -1;
	return take_slurm(reading, &line->slurm);
}

int store_line_read(const char *text, size_t len, const char *name, struct store_line *line, struct error *err)
{
	cleanup_json struct json_object *parsed = NULL;
	struct reading reading = { .name = name, .err = err };
	int saved;

	*line = (struct store_line){ 0 };
	errno = EBADMSG;
	if (len > STORE_LINE_MAX)
		return error_set(err, "%s: a store line of more than %d bytes", name, STORE_LINE_MAX);
	/* The parser lets through what PostgreSQL does not take. */
	if (!utf8_is_valid(text))
		return error_set(err, "%s: a store line that is not UTF-8", name);
	parsed = field_parse(text, len, name, json_type_object, err);
	if (!parsed) {
		errno = EBADMSG;
		return -1;
	}
	reading.line = parsed;
	reading.record = line->record = json_object_new_object();
	if (take_line(&reading, line) == 0)
		return 0;
	saved = errno;
	store_line_free(line);
	errno = saved;
	return -1;
}

void store_line_free(struct store_line *line)
{
	json_object_put(line->record);
	json_object_put(line->slurm);
	*line = (struct store_line){ 0 };
}

void store_line_finish_report(struct json_object *report)
{
	struct json_object *gaps = field_typed(report, "gaps", json_type_array), *kept = json_object_new_array();

	/* The store keeps few numbers of steps. One gap says so, in place of one for each number. */
	for (size_t i = 0; i < field_length(gaps); i++) {
		struct json_object *gap = json_object_array_get_idx(gaps, i);
		const char *name = field_text(gap, "name");

		if (!name || strncmp(name, "steps.", 6) != 0)
			json_object_array_add(kept, json_object_get(gap));
	}
	json_object_object_add(report, "gaps", kept);
	put_array(report, "timeline");
	put_array(report, "series");
	gaps_add(kept, "timeline", "this report was made from the store, which does not keep it");
	gaps_add(kept, "series", "this report was made from the store, which does not keep it");
	gaps_add(kept, "steps", "this report was made from the store, which does not keep what each step used");
}
