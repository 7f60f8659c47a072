/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/store/store_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/memory_limit.h"
#include "reports/builder/report_cores.h"
#include "reports/builder/workflow.h"
#include "reports/json/field.h"
#include "reports/store/store_line_internal.h"

#define NS_PER_MS 1000000

static void put_unless_null(struct json_object *out, const char *name, struct json_object *value)
{
	if (value)
		json_object_object_add(out, name, value);
}

static void copy_numbers(struct json_object *out, struct json_object *from, const char *const *names)
{
	int64_t value;

	for (; *names; names++)
		if (field_count(from, *names, &value))
			store_put_at(out, *names, json_object_new_int64(value));
}

static void copy_texts(struct json_object *out, struct json_object *from, const char *const *names)
{
	for (; *names; names++)
		if (field_text(from, *names))
			store_put_at(out, *names, store_new_text(field_text(from, *names), STORE_TEXT));
}

/* ---- the lists ---- */

static struct json_object *make_totals(const struct store_making *making)
{
	struct json_object *totals = field_typed(making->record, "totals", json_type_object), *out;
	struct numbers room;

	if (!totals)
		return NULL;
	out = json_object_new_array();
	store_put_numbers(out, numbers_of(totals, &room), store_total_columns);
	return out;
}

static struct json_object *step_array(struct json_object *step)
{
	cleanup_json struct json_object *numbers = json_object_new_object();
	struct json_object *out = json_object_new_array(), *tasks = field_typed(step, "tasks", json_type_array);
	const char *id = field_text(step, "id");
	int64_t processes;

	for (const char *const *name = store_step_columns; *name; name++)
		put_copy(numbers, *name, field_find(step, *name));
	if (numbers_count(field_typed(step, "totals", json_type_object), SUM_PROCESSES, &processes))
		put_count(numbers, "processes", processes);
	/* The batch step's task is the job's script. */
	if (field_is(step, "id", "batch") && field_length(tasks) > 0)
		put_copy(numbers, "pid", field_find(json_object_array_get_idx(tasks, 0), "pid"));
	json_object_array_add(out, store_new_text(id, STORE_STEP_ID));
	store_put_columns(out, numbers, store_step_columns);
	return out;
}

static struct json_object *make_steps(const struct store_making *making)
{
	struct json_object *steps = field_typed(making->record, "steps", json_type_array), *out = json_object_new_array();

	for (size_t i = 0; i < field_length(steps) && i < STORE_STEPS; i++)
		json_object_array_add(out, step_array(json_object_array_get_idx(steps, i)));
	return out;
}

/* A wait of the job that did not occur is 0; one that is not known is null. */
static struct json_object *wait_array(const int64_t measures[WAIT_MEASURES])
{
	struct json_object *out;
	size_t known = 0;
	bool all = true, any = false;

	for (size_t m = 0; m < WAIT_MEASURES; m++) {
		all &= measures[m] >= 0;
		any |= measures[m] > 0;
		known = measures[m] >= 0 ? m + 1 : known;
	}
	if (all && !any)
		return json_object_new_int64(0);
	if (!known)
		return NULL;
	out = json_object_new_array();
	for (size_t m = 0; m < known; m++)
		json_object_array_add(out, measures[m] < 0 ? NULL : json_object_new_int64(measures[m]));
	return out;
}

static void put_waits(const struct store_making *making, struct json_object *out)
{
	struct json_object *from = field_typed(making->record, "pressure.waits", json_type_object), *list;
	const struct waits *waits;
	struct waits room;

	if (!from)
		return;
	waits = waits_of(from, &room);
	list = put_array(out, "waits");
	for (const enum wait_kind *kind = store_waits; *kind != WAIT_KINDS; kind++)
		json_object_array_add(list, wait_array(waits->of[*kind]));
}

static int most_waited_first(const void *a, const void *b)
{
	int64_t one = 0, other = 0;

	field_count(*(struct json_object *const *)a, "wait_ns", &one);
	field_count(*(struct json_object *const *)b, "wait_ns", &other);
	return one != other ? (one > other ? -1 : 1) : 0;
}

static struct json_object *make_file_systems(const struct store_making *making)
{
	struct json_object *list = field_typed(making->record, "file_systems", json_type_array), *out;
	size_t count = field_length(list);
	cleanup_free struct json_object **sorted = calloc(count + 1, sizeof(struct json_object *));

	if (!list || !sorted)
		return NULL;
	for (size_t i = 0; i < count; i++)
		sorted[i] = json_object_array_get_idx(list, i);
	qsort(sorted, count, sizeof(struct json_object *), most_waited_first);
	out = json_object_new_array();
	for (size_t i = 0; i < count && i < STORE_FILE_SYSTEMS; i++) {
		struct json_object *one = json_object_new_array();

		json_object_array_add(one, store_new_text(field_text(sorted[i], "type"), STORE_TEXT));
		store_put_columns(one, sorted[i], store_file_system_columns);
		json_object_array_add(out, one);
	}
	return out;
}

/* @comm: whether the entries have the name that the process had */
static struct json_object *entry_array(const struct store_making *making, struct json_object *entry, bool comm,
				       const char *const *columns)
{
	struct json_object *out = json_object_new_array();

	json_object_array_add(out, store_tool_place(making, entry));
	/* A script's process has its name. */
	if (comm)
		json_object_array_add(out, making->scripts ? store_new_name(field_text(entry, "comm")) : NULL);
	json_object_array_add(out, store_new_text(field_text(entry, "step"), STORE_STEP_ID));
	store_put_columns(out, entry, columns);
	return out;
}

static struct json_object *entry_list(const struct store_making *making, struct json_object *list, size_t most,
				      bool comm, const char *const *columns)
{
	struct json_object *out;

	if (!list)
		return NULL;
	out = json_object_new_array();
	for (size_t i = 0; i < field_length(list) && i < most; i++)
		json_object_array_add(out, entry_array(making, json_object_array_get_idx(list, i), comm, columns));
	return out;
}

/* The verdict asks whether it was forked by the tool's name that it has; a flag is a number here. */
static void mark_forked(struct json_object *failed, struct json_object *out)
{
	size_t place = 2;

	for (const char *const *name = store_failed_columns; *name && strcmp(*name, "forked") != 0; name++)
		place++;
	for (size_t i = 0; i < field_length(out); i++)
		if (field_true(json_object_array_get_idx(failed, i), "forked"))
			json_object_array_put_idx(json_object_array_get_idx(out, i), place, json_object_new_int64(1));
}

static void put_gaps(const struct store_making *making, struct json_object *out)
{
	struct json_object *gaps = field_typed(making->record, "gaps", json_type_array), *list = put_array(out, "gaps");

	for (size_t i = 0; i < field_length(gaps) && i < STORE_GAPS; i++) {
		struct json_object *gap = json_object_array_get_idx(gaps, i), *one = json_object_new_array();
		const char *reason = field_text(gap, "reason");

		json_object_array_add(one, store_new_text(field_text(gap, "name"), STORE_TEXT));
		/* Some reasons name a file. */
		json_object_array_add(one, store_new_text(reason && !strchr(reason, '/') ? reason : "", STORE_TEXT));
		json_object_array_add(list, one);
	}
}

static void put_lost(const struct store_making *making, struct json_object *out)
{
	struct json_object *lost = field_typed(making->record, "lost", json_type_object), *list = put_object(out, "lost");
	int kept = 0;

	if (!lost)
		return;
	json_object_object_foreach(lost, name, value)
		if (json_object_is_type(value, json_type_int) && json_object_get_int64(value) > 0 && strlen(name) < 40 && kept++ < STORE_GAPS)
			put_copy(list, name, value);
}

/* ---- cores ---- */

static void put_range(struct json_object *ranges, int64_t package, int64_t first, int64_t count)
{
	struct json_object *range = json_object_new_array();

	json_object_array_add(range, package < 0 ? NULL : json_object_new_int64(package));
	json_object_array_add(range, first < 0 ? NULL : json_object_new_int64(first));
	json_object_array_add(range, json_object_new_int64(count));
	json_object_array_add(ranges, range);
}

/* Neighbours of a package are one range. What is beyond the bound has no number. */
static struct json_object *unused_ranges(const struct report_unused_core_list *unused)
{
	struct json_object *ranges = json_object_new_array();
	int64_t of = -1, first = -1, count = 0;
	size_t i = 0;

	for (; i < unused->count && field_length(ranges) < STORE_CORE_RANGES - 2; i++) {
		int64_t package = unused->items[i].package, number = unused->items[i].core;

		if (count && package == of && number >= 0 && number == first + count) {
			count++;
			continue;
		}
		if (count)
			put_range(ranges, of, first, count);
		of = package;
		first = number;
		count = 1;
	}
	if (count)
		put_range(ranges, of, first, count);
	if (i < unused->count)
		put_range(ranges, -1, -1, (int64_t)(unused->count - i));
	return ranges;
}

static void put_cores(const struct store_making *making, struct json_object *out)
{
	cleanup_report struct report *listed = report_new(NULL);
	struct report_unused_core_list unused = { 0 };
	int64_t count, used, loaded;

	if (!listed || !cores_count(making->record, &count))
		return;
	out = put_object(out, "cores");
	put_count(out, "count", count);
	if (!cores_put_unused(making->record, listed, &unused, &used))
		return;
	put_count(out, "used", used);
	if (cores_count_loaded(making->record, &loaded) && loaded != used)
		put_count(out, "loaded", loaded);
	json_object_object_add(out, "unused", unused_ranges(&unused));
}

/* ---- what Slurm said ---- */

/* A job has the name of its script unless its user chose another. */
static const char *job_name_of(const struct store_making *making)
{
	const char *name = field_text(making->slurm, "name"), *command = field_text(making->slurm, "command");
	size_t length = name ? strlen(name) : 0;

	if (making->scripts || !command || !name)
		return name;
	for (const char *at = command; length && (at = strstr(at, name)); at++)
		if ((at == command || at[-1] == '/') && (at[length] == '\0' || at[length] == ' '))
			return NULL;
	return name;
}

static struct json_object *make_workflow(const struct store_making *making)
{
	cleanup_report struct report *named = report_new(NULL);
	const struct report_workflow *workflow;
	struct json_object *out;

	if (!named)
		return NULL;
	workflow = &named->job.workflow;
	named->job.name = field_text(making->slurm, "name");
	named->job.work_dir = field_text(making->record, "work_dir") ?: field_text(making->slurm, "work_dir");
	field_count(making->slurm, "array_job_id", &named->job.array_job_id);
	workflow_put(named, making->slurm);
	if (!workflow->known)
		return NULL;
	out = json_object_new_object();
	put_unless_null(out, "engine", store_new_text(workflow->engine, STORE_TEXT));
	put_unless_null(out, "process", store_new_text(workflow->process, STORE_TEXT));
	put_unless_null(out, "rule", store_new_text(workflow->rule, STORE_TEXT));
	put_unless_null(out, "group", store_new_text(workflow->group, STORE_TEXT));
	return out;
}

static struct json_object *make_slurm(const struct store_making *making)
{
	struct json_object *slurm = making->slurm, *out;

	if (!slurm)
		return NULL;
	out = json_object_new_object();
	copy_numbers(out, slurm, store_slurm_numbers);
	copy_texts(out, slurm, store_slurm_texts);
	for (const char *const *name = store_slurm_flags; *name; name++)
		if (field_true(slurm, *name))
			put_flag(out, *name, true);
	if (!field_find(slurm, "time_limit_s") && json_object_object_get_ex(slurm, "time_limit_s", NULL))
		put_null(out, "time_limit_s");
	put_unless_null(out, "name", store_new_name(job_name_of(making)));
	if (!field_text(making->record, "node_list"))
		put_unless_null(out, "node_list", store_new_text(field_text(slurm, "node_list"), STORE_NODE_LIST));
	put_unless_null(out, "workflow", make_workflow(making));
	return out;
}

int64_t store_line_revision(struct json_object *record, struct json_object *slurm)
{
	const char *state = field_text(slurm, "state");
	int64_t closed_ns = 0;
	int known = !slurm ? 0 : !state || strcmp(state, "RUNNING") == 0 ? 1 : 2;

	field_count(record, "collector.closed_unix_ns", &closed_ns);
	return closed_ns / NS_PER_MS * 4 + known;
}

/* ---- the line ---- */

static void put_progress(const struct store_making *making, struct json_object *out)
{
	struct json_object *progress = field_typed(making->record, "progress", json_type_object);

	if (!progress)
		return;
	if (!field_find(out, "progress"))
		put_object(out, "progress");
	put_unless_null(field_find(out, "progress"), "stalls",
			entry_list(making, field_typed(progress, "stalls", json_type_array), STORE_STALLS, false,
				   store_stall_columns));
}

static void put_places(const struct store_making *making, struct json_object *out)
{
	struct json_object *allocated = field_find(out, "allocated");

	if (field_typed(making->record, "allocated", json_type_object))
		put_cores(making, allocated ? allocated : put_object(out, "allocated"));
	put_unless_null(out, "node_list", store_new_text(field_text(making->record, "node_list"), STORE_NODE_LIST));
	if (field_typed(making->record, "pressure", json_type_object))
		put_waits(making, field_find(out, "pressure") ?: put_object(out, "pressure"));
}

static int put_lists(struct store_making *making, struct json_object *out)
{
	struct json_object *oom = field_typed(making->record, "oom", json_type_array), *list;
	cleanup_json struct json_object *failed = store_find_failed(making);
	struct json_object *const naming[] = { oom, field_typed(making->record, "progress.stalls", json_type_array), failed };
	struct json_object *tools = store_choose_tools(making, naming, sizeof(naming) / sizeof(naming[0]));

	if (!tools)
		return -1;
	put_unless_null(out, "totals", make_totals(making));
	json_object_object_add(out, "steps", make_steps(making));
	put_unless_null(out, "file_systems", make_file_systems(making));
	put_unless_null(out, "oom", entry_list(making, oom, STORE_OOM, true, store_oom_columns));
	put_progress(making, out);
	put_unless_null(out, "series", store_make_points(making));
	json_object_object_add(out, "tools", tools);
	if (!failed)
		failed = json_object_new_array();
	store_add_endings(making, failed);
	if (field_length(failed) == 0)
		return 0;
	list = entry_list(making, failed, STORE_FAILED, false, store_failed_columns);
	mark_forked(failed, list);
	json_object_object_add(out, "failed", list);
	return 0;
}

static int fill(struct store_making *making, struct json_object *out)
{
	struct json_object *clock_set = field_typed(making->record, "clock_set_ns", json_type_int);

	put_count(out, "stint_store", STORE_LINE_VERSION);
	put_count(out, "revision", store_line_revision(making->record, making->slurm));
	copy_numbers(out, making->record, store_numbers);
	copy_texts(out, making->record, store_texts);
	put_copy(out, "clock_set_ns", clock_set);
	put_flag(out, "complete", field_true(making->record, "complete"));
	put_gaps(making, out);
	put_lost(making, out);
	put_places(making, out);
	if (put_lists(making, out) < 0)
		return -1;
	put_unless_null(out, "slurm", make_slurm(making));
	return 0;
}

char *store_line_make(struct json_object *record, struct json_object *slurm, bool scripts, size_t *len,
		      struct error *err)
{
	/* What a line that is too long does without: each job has one, whatever its user named its tools. */
	static const char *const spare[] = { "failed", "steps" };
	cleanup_json struct json_object *out = json_object_new_object();
	unsigned long failures = memory_failures();
	struct store_making making = { .record = record, .slurm = slurm, .scripts = scripts };
	struct record_identity identity;
	const char *text;
	char *line;
	int filled;

	if (record_identify(record, "the record", &identity, err) < 0)
		return NULL;
	merge_find_script(slurm, identity.job_id, &making.script);
	filled = fill(&making, out);
	free(making.places);
	text = filled < 0 ? NULL :
			    json_object_to_json_string_length(out, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, len);
	if (!text || memory_failures() != failures) {
		error_set(err, "out of memory");
		return NULL;
	}
	for (size_t i = 0; *len >= STORE_LINE_MAX && i < sizeof(spare) / sizeof(spare[0]); i++) {
		json_object_object_del(out, spare[i]);
		text = json_object_to_json_string_length(out, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, len);
	}
	if (!text || memory_failures() != failures) {
		error_set(err, "out of memory");
		return NULL;
	}
	if (*len >= STORE_LINE_MAX) {
		error_set(err, "its store line would have %zu bytes", *len);
		return NULL;
	}
	line = malloc(*len + 2);
	if (!line) {
		error_set(err, "out of memory");
		return NULL;
	}
	memcpy(line, text, *len);
	strcpy(line + *len, "\n");
	++*len;
	return line;
}
