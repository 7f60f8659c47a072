/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a store line, which may be damaged or made up: what is not of the form is refused, and never guessed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/memory_limit.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/json/view.h"
#include "reports/model/report_gaps.h"
#include "reports/store/store_line.h"
#include "reports/store/store_line_internal.h"

struct reading {
	const char *name;
	const struct view *line;
	struct json_object *record;
	struct error *err;
};

static int refuse(const struct reading *reading, const char *member)
{
	errno = EBADMSG;
	return error_set(reading->err, "%s: a store line with a damaged '%s'", reading->name, member);
}

/* ---- members ---- */

/* Whether it has nothing but whole numbers that are not negative, from @at on, or null. */
static bool has_numbers(const struct view *list, const struct view *at)
{
	for (; at < list + list->after; at += at->after)
		if (at->type != VIEW_NULL && (at->type != VIEW_INT || at->number < 0))
			return false;
	return true;
}

/* Returns the member of @from at the dotted @name; NULL with *@bad unset: there is none, or it is null. */
static const struct view *member(const struct view *from, const char *name, enum view_type type, bool *bad)
{
	const struct view *value = view_find(from, name);

	if (value && (value->type != type || (type == VIEW_INT && value->number < 0) ||
		      (type == VIEW_TEXT && value->number > STORE_NODE_LIST)))
		*bad = true;
	return value;
}

static struct json_object *new_text(const struct view *text)
{
	return json_object_new_string_len(text->text, (int)text->number);
}

static struct json_object *new_value(const struct view *value)
{
	if (value->type == VIEW_TEXT)
		return new_text(value);
	return value->type == VIEW_FLAG ? json_object_new_boolean((json_bool)value->number) : json_object_new_int64(value->number);
}

static int take_members(const struct reading *reading, const struct view *from, struct json_object *out,
			const char *const *names, enum view_type type)
{
	bool bad = false;

	for (; *names; names++) {
		const struct view *value = member(from, *names, type, &bad);

		if (bad)
			return refuse(reading, *names);
		if (value)
			store_put_at(out, *names, new_value(value));
	}
	return 0;
}

/* ---- lists ---- */

/* Returns the element behind @at, which may be NULL; NULL: it was the last. */
static const struct view *element_after(const struct view *list, const struct view *at)
{
	const struct view *next = at ? at + at->after : NULL;

	return next && next < list + list->after ? next : NULL;
}

/* Returns the first element of @list; NULL: it has none. */
static const struct view *first_of(const struct view *list)
{
	return list->number ? list + 1 : NULL;
}

/*
 * Finds the list @name of at most @most lists. Returns -1 where it is something else; 0 with *@list NULL: there is
 * none.
 */
static int find_list(const struct reading *reading, const char *name, int64_t most, const struct view **list)
{
	*list = view_find(reading->line, name);
	if (!*list)
		return 0;
	if (!view_is(*list, VIEW_LIST) || (*list)->number > most)
		return refuse(reading, name);
	view_each(at, *list)
		if (at->type != VIEW_LIST)
			return refuse(reading, name);
	return 0;
}

/* Adds the numbers of @list from @at on to @out, which has none of them yet. */
static void take_columns(const struct view *list, const struct view *at, struct json_object *out, const char *const *columns)
{
	for (; *columns && at; columns++, at = element_after(list, at))
		if (at->type == VIEW_INT)
			put_new_count(out, *columns, at->number);
}

/* The same for numbers by their place. */
static void take_numbers(const struct view *list, const struct view *at, struct json_object *out, const int *columns)
{
	struct numbers numbers;

	numbers_clear(&numbers);
	for (; *columns != NUMBERS && at; columns++, at = element_after(list, at))
		if (at->type == VIEW_INT)
			numbers.of[*columns] = at->number;
	numbers_attach(out, &numbers);
}

/* Takes what stands before the numbers of @list, by @names. Returns false where it is something else. */
static bool take_texts(const struct view *list, const char *const *names, const struct view **at, struct json_object *out)
{
	for (*at = first_of(list); *names; names++, *at = element_after(list, *at)) {
		bool number = strcmp(*names, "tool") == 0 || strcmp(*names, "kind") == 0;

		if (!*at || (*at)->type == VIEW_NULL)
			continue;
		if ((*at)->type != (number ? VIEW_INT : VIEW_TEXT) || (number && (*at)->number < 0))
			return false;
		if (number)
			put_new_count(out, *names, (*at)->number);
		else
			put_new_value(out, *names, new_text(*at));
	}
	return !*at || has_numbers(list, *at);
}

/* A list of lists in a line. */
struct list_form {
	const char *name;
	int64_t most; /* lists in it */
	const char *const *texts; /* the names of the places before the numbers */
	const char *const *columns; /* and of the numbers; NULL: these are by @numbers */
	const int *numbers;
};

/* Makes of the list that @form describes a list @to of objects, as the record has it. */
static int take_list(const struct reading *reading, const struct list_form *form, struct json_object *owner, const char *to)
{
	const struct view *list, *at;
	struct json_object *out;

	if (find_list(reading, form->name, form->most, &list) < 0)
		return -1;
	if (!list)
		return 0;
	out = put_array(owner, to);
	view_each(one, list) {
		struct json_object *object = json_object_new_object();

		json_object_array_add(out, object);
		if (!take_texts(one, form->texts, &at, object))
			return refuse(reading, form->name);
		if (form->columns)
			take_columns(one, at, object, form->columns);
		else
			take_numbers(one, at, object, form->numbers);
	}
	return 0;
}

/* ---- what differs from the record ---- */

static int take_totals(const struct reading *reading)
{
	bool bad = false;
	const struct view *totals = member(reading->line, "totals", VIEW_LIST, &bad);

	if (bad || (totals && !has_numbers(totals, totals + 1)))
		return refuse(reading, "totals");
	if (totals)
		take_numbers(totals, first_of(totals), put_object(reading->record, "totals"), store_total_columns);
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

static void give_totals(struct json_object *step)
{
	struct numbers numbers;

	numbers_clear(&numbers);
	if (!field_count(step, "processes", &numbers.of[SUM_PROCESSES]))
		return;
	numbers_attach(put_object(step, "totals"), &numbers);
	json_object_object_del(step, "processes");
}

static int take_steps(const struct reading *reading)
{
	static const char *const texts[] = { "id", NULL };
	static const struct list_form form = { "steps", STORE_STEPS, texts, .columns = store_step_columns };
	struct json_object *steps;

	if (take_list(reading, &form, reading->record, "steps") < 0)
		return -1;
	steps = field_find(reading->record, "steps");
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		give_script(step);
		give_totals(step);
	}
	return 0;
}

static int take_tools(const struct reading *reading)
{
	static const char *const texts[] = { "name", "interpreter", "kind", NULL };
	static const struct list_form form = { "tools", STORE_LINE_TOOLS + STORE_SLURM_TOOLS + 2, texts,
					       .numbers = store_tool_columns };
	struct json_object *tools;
	int64_t kind;

	if (take_list(reading, &form, reading->record, "tools") < 0)
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

/* Reads up to @count numbers of a list of such; what it lacks is -1. */
static void read_numbers(const struct view *list, int64_t *numbers, size_t count)
{
	const struct view *at = first_of(list);

	for (size_t i = 0; i < count; i++, at = element_after(list, at))
		numbers[i] = view_is(at, VIEW_INT) ? at->number : -1;
}

static int take_waits(const struct reading *reading)
{
	bool bad = false;
	const struct view *list = member(reading->line, "pressure.waits", VIEW_LIST, &bad), *at;
	struct json_object *pressure;
	struct waits waits;

	if (bad || (list && list->number > 64))
		return refuse(reading, "pressure.waits");
	if (!list)
		return 0;
	waits_clear(&waits);
	at = first_of(list);
	for (const enum wait_kind *kind = store_waits; *kind != WAIT_KINDS && at; kind++, at = element_after(list, at)) {
		if (at->type == VIEW_NULL)
			continue;
		if (at->type == VIEW_INT && at->number == 0)
			memset(waits.of[*kind], 0, sizeof(waits.of[*kind]));
		else if (at->type == VIEW_LIST && has_numbers(at, at + 1))
			read_numbers(at, waits.of[*kind], WAIT_MEASURES);
		else
			return refuse(reading, "pressure.waits");
	}
	pressure = field_find(reading->record, "pressure") ?: put_object(reading->record, "pressure");
	waits_attach(put_object(pressure, "waits"), &waits);
	return 0;
}

static int take_gaps(const struct reading *reading)
{
	const struct view *list;
	struct json_object *gaps = put_array(reading->record, "gaps");

	if (find_list(reading, "gaps", STORE_GAPS, &list) < 0)
		return -1;
	if (!list)
		return 0;
	view_each(gap, list) {
		const struct view *name = first_of(gap), *reason = element_after(gap, name);

		if (!view_is(name, VIEW_TEXT) || !view_is(reason, VIEW_TEXT))
			return refuse(reading, "gaps");
		gaps_add(gaps, name->text, reason->number ? reason->text : "the store does not keep the reason");
	}
	return 0;
}

static int take_lost(const struct reading *reading)
{
	bool bad = false;
	const struct view *lost = member(reading->line, "lost", VIEW_OBJECT, &bad);
	struct json_object *out = put_object(reading->record, "lost");

	if (bad || (lost && lost->number > STORE_GAPS))
		return refuse(reading, "lost");
	for (const struct view *at = lost ? first_of(lost) : NULL; at; at = element_after(lost, at + 1)) {
		if (at[1].type != VIEW_INT || at[1].number < 0)
			return refuse(reading, "lost");
		put_count(out, at->text, at[1].number);
	}
	return 0;
}

/* Adds each core of a range, as the report has it. Returns how many; -1: too many, or no range. */
static int64_t put_range(struct json_object *unused, const char *node, const struct view *range, int64_t room)
{
	int64_t numbers[3], package, first, count;

	if (range->type != VIEW_LIST || !has_numbers(range, range + 1))
		return -1;
	read_numbers(range, numbers, 3);
	package = numbers[0];
	first = numbers[1];
	count = numbers[2];
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
	const struct view *cores = view_find(reading->line, "allocated.cores"), *ranges = view_find(cores, "unused");
	struct json_object *out, *unused;
	int64_t count, used, loaded, left;

	if (!cores)
		return 0;
	if (!view_count(cores, "count", &count) || count > CORES_MAX)
		return refuse(reading, "allocated.cores");
	out = field_find(reading->record, "allocated") ?: put_object(reading->record, "allocated");
	out = put_object(out, "cores_settled");
	put_count(out, "count", count);
	if (!view_count(cores, "used", &used))
		return 0;
	left = count - used;
	if (left < 0 || !view_is(ranges, VIEW_LIST) || ranges->number > STORE_CORE_RANGES)
		return refuse(reading, "allocated.cores");
	put_count(out, "used", used);
	put_count(out, "loaded", view_count(cores, "loaded", &loaded) && loaded < used ? loaded : used);
	unused = put_array(out, "unused");
	view_each(range, ranges) {
		int64_t put = put_range(unused, field_text(reading->record, "identity.node"), range, left);

		if (put < 0)
			return refuse(reading, "allocated.cores");
		left -= put;
	}
	return left == 0 ? 0 : refuse(reading, "allocated.cores");
}

static int take_series(const struct reading *reading)
{
	const struct view *from = view_find(reading->line, "series"), *list;
	struct json_object *series, *ends, *columns;
	int64_t interval, end = 0, point[1 + STORE_POINT_COLUMNS];

	if (!from)
		return 0;
	if (!view_count(from, "interval_ns", &interval) || find_list(reading, "series.points", STORE_POINTS, &list) < 0 || !list)
		return refuse(reading, "series");
	series = put_object(reading->record, "series");
	put_count(series, "interval_ns", interval);
	ends = put_array(series, "end_offsets_ns");
	columns = put_object(series, "columns");
	for (const char *const *name = store_point_columns; *name; name++)
		put_array(columns, *name);
	view_each(at, list) {
		read_numbers(at, point, sizeof(point) / sizeof(point[0]));
		if (!has_numbers(at, at + 1) || point[0] < 0)
			return refuse(reading, "series");
		end = count_sum(end, point[0]);
		json_object_array_add(ends, json_object_new_int64(end));
		for (size_t c = 0; c < STORE_POINT_COLUMNS; c++)
			json_object_array_add(field_find(columns, store_point_columns[c]),
					      point[c + 1] < 0 ? NULL : json_object_new_int64(point[c + 1]));
	}
	return 0;
}

/* The failed processes are the record's timeline. */
static int take_failed(const struct reading *reading)
{
	static const char *const texts[] = { "tool", "step", NULL };
	static const struct list_form form = { "failed", STORE_FAILED, texts, .columns = store_failed_columns };
	struct json_object *timeline;
	int64_t forked;

	if (take_list(reading, &form, reading->record, "timeline") < 0)
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
	static const struct list_form file_systems = { "file_systems", STORE_FILE_SYSTEMS, of_file_system,
						       .columns = store_file_system_columns };
	static const struct list_form oom = { "oom", STORE_OOM, of_oom, .columns = store_oom_columns };
	static const struct list_form stalls = { "progress.stalls", STORE_STALLS, of_stall, .columns = store_stall_columns };
	const struct view *progress = view_find(reading->line, "progress");

	if (take_list(reading, &file_systems, reading->record, "file_systems") < 0 ||
	    take_list(reading, &oom, reading->record, "oom") < 0)
		return -1;
	if (!view_is(progress, VIEW_OBJECT))
		return progress ? refuse(reading, "progress") : 0;
	return take_list(reading, &stalls, field_find(reading->record, "progress") ?: put_object(reading->record, "progress"),
			 "stalls");
}

static int take_slurm(const struct reading *reading, struct json_object **slurm)
{
	static const char *const names[] = { "name", "node_list", NULL };
	bool bad = false;
	const struct view *from = member(reading->line, "slurm", VIEW_OBJECT, &bad), *workflow;
	struct json_object *out;

	*slurm = NULL;
	if (bad)
		return refuse(reading, "slurm");
	if (!from)
		return 0;
	*slurm = out = json_object_new_object();
	if (take_members(reading, from, out, store_slurm_numbers, VIEW_INT) < 0 ||
	    take_members(reading, from, out, store_slurm_texts, VIEW_TEXT) < 0 ||
	    take_members(reading, from, out, store_slurm_flags, VIEW_FLAG) < 0 ||
	    take_members(reading, from, out, names, VIEW_TEXT) < 0)
		return -1;
	if (!view_find(from, "time_limit_s") && view_has(from, "time_limit_s"))
		put_null(out, "time_limit_s");
	workflow = member(from, "workflow", VIEW_OBJECT, &bad);
	if (bad)
		return refuse(reading, "slurm.workflow");
	if (!workflow)
		return 0;
	return take_members(reading, workflow, put_object(out, "workflow"), store_workflow_texts, VIEW_TEXT);
}

/* ---- the line ---- */

static int take_plain(const struct reading *reading)
{
	static const char *const flags[] = { "complete", NULL }, *const lists[] = { "node_list", NULL };
	const struct view *clock_set = view_find(reading->line, "clock_set_ns");
	int64_t files;

	put_count(reading->record, "stint_record", RECORD_VERSION);
	if (take_members(reading, reading->line, reading->record, store_numbers, VIEW_INT) < 0 ||
	    take_members(reading, reading->line, reading->record, store_texts, VIEW_TEXT) < 0 ||
	    take_members(reading, reading->line, reading->record, lists, VIEW_TEXT) < 0 ||
	    take_members(reading, reading->line, reading->record, flags, VIEW_FLAG) < 0)
		return -1;
	if (clock_set && clock_set->type != VIEW_INT)
		return refuse(reading, "clock_set_ns");
	if (clock_set)
		put_count(reading->record, "clock_set_ns", clock_set->number);
	/* Which files there were is not kept, but that they were counted. */
	if (view_count(reading->line, "files_count", &files))
		put_array(reading->record, "files");
	return 0;
}

static int check_version(const struct reading *reading)
{
	int64_t version;

	errno = EBADMSG;
	if (!view_count(reading->line, "stint_store", &version))
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
	if (!view_count(reading->line, "revision", &line->revision))
		return refuse(reading, "revision");
	view_count(reading->line, "amended", &line->amended);
	if (take_plain(reading) < 0 || record_identify(reading->record, reading->name, &line->identity, reading->err) < 0 ||
	    check_names(reading) < 0)
		return -1;
	if (take_gaps(reading) < 0 || take_lost(reading) < 0 || take_totals(reading) < 0 || take_steps(reading) < 0 ||
	    take_waits(reading) < 0 || take_lists(reading) < 0 || take_cores(reading) < 0 || take_series(reading) < 0 ||
	    take_tools(reading) < 0 || take_failed(reading) < 0)
		return -1;
	return take_slurm(reading, &line->slurm);
}

/* Reads @text, which is a copy that belongs to @reading. */
static int read_copy(struct reading *reading, char *text, size_t len, struct store_line *line)
{
	cleanup_free struct view *values = malloc(view_room(len) * sizeof(*values));
	unsigned long failures = memory_failures();

	if (!values) {
		errno = ENOMEM;
		return error_set(reading->err, "%s: out of memory", reading->name);
	}
	errno = EBADMSG;
	if (view_read(text, len, reading->name, values, reading->err) < 0)
		return -1;
	if (values->type != VIEW_OBJECT)
		return error_set(reading->err, "%s: not a JSON object", reading->name);
	reading->line = values;
	reading->record = line->record = json_object_new_object();
	if (take_line(reading, line) < 0)
		return -1;
	/* json-c leaves out what it has no memory for, and does not say so. */
	if (memory_failures() == failures)
		return 0;
	errno = ENOMEM;
	return error_set(reading->err, "%s: out of memory", reading->name);
}

int store_line_read(const char *text, size_t len, const char *name, struct store_line *line, struct error *err)
{
	struct reading reading = { .name = name, .err = err };
	cleanup_free char *copy = NULL;
	int saved;

	*line = (struct store_line){ 0 };
	errno = EBADMSG;
	if (len > STORE_LINE_MAX)
		return error_set(err, "%s: a store line of more than %d bytes", name, STORE_LINE_MAX);
	copy = strndup(text, len);
	if (!copy) {
		errno = ENOMEM;
		return error_set(err, "%s: out of memory", name);
	}
	/* JSON may have what PostgreSQL does not take. */
	if (!utf8_is_valid(copy))
		return error_set(err, "%s: a store line that is not UTF-8", name);
	if (read_copy(&reading, copy, len, line) == 0)
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

/* The store keeps few numbers of steps. One gap says so, in place of one for each number. */
static void drop_gaps_of_steps(struct report_gap_list *gaps)
{
	size_t kept = 0;

	for (size_t i = 0; i < gaps->count; i++)
		if (!gaps->items[i].name || strncmp(gaps->items[i].name, "steps.", 6) != 0)
			gaps->items[kept++] = gaps->items[i];
	gaps->count = kept;
}

void store_line_finish_report(struct report *report)
{
	drop_gaps_of_steps(&report->gaps);
	report->timeline = (struct report_entry_list){ .known = true };
	report->series = (struct report_series_list){ .known = true };
	report_add_gap(report, "timeline", "this report was made from the store, which does not keep it");
	report_add_gap(report, "series", "this report was made from the store, which does not keep it");
	report_add_gap(report, "steps", "this report was made from the store, which does not keep what each step used");
}
