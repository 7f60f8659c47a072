/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/merge.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/json/printed.h"
#include "reports/records/record_input.h"
#include "reports/records/report_totals.h"

/* One step on one node. */
struct part {
	struct json_object *json;
	const char *id;
	const char *node;
};

static int compare_parts(const void *a, const void *b)
{
	const struct part *one = a, *other = b;
	int order = strcmp(one->id, other->id);

	return order ? order : strcmp(one->node, other->node);
}

static int64_t start_of(struct json_object *step)
{
	int64_t ns = INT64_MAX; /* not known: after all others */

	field_count(step, "start_unix_ns", &ns);
	return ns;
}

/*
 * How long it took to begin the first of the step's tasks on a node, in ns: the longest of its @count parts; -1: not known,
 * or it is the extern step, which has no task of the user.
 */
static int64_t launch_of(const struct part *parts, size_t count)
{
	int64_t longest = -1, stepd, start;

	for (size_t i = 0; strcmp(parts[0].id, "extern") != 0 && i < count; i++)
		if (field_count(parts[i].json, "stepd_start_unix_ns", &stepd) &&
		    field_count(parts[i].json, "start_unix_ns", &start) && start >= stepd && start - stepd > longest)
			longest = start - stepd;
	return longest;
}

/* Adds the step's times, over its @count parts. */
static void put_times(struct json_object *out, const struct part *parts, size_t count)
{
	int64_t start = INT64_MAX, end = 0, launch = launch_of(parts, count), ns;

	for (size_t i = 0; i < count; i++) {
		if (start_of(parts[i].json) < start)
			start = start_of(parts[i].json);
		if (field_count(parts[i].json, "end_unix_ns", &ns) && ns > end)
			end = ns;
	}
	if (start < INT64_MAX)
		put_time(out, "start", start);
	if (end)
		put_time(out, "end", end);
	if (start < INT64_MAX && end >= start)
		put_seconds(out, "elapsed_s", end - start);
	if (launch >= 0)
		put_seconds(out, "launch_s", launch);
}

/* The first node with a failed task decides, as in Slurm. */
static void put_exit(struct json_object *out, const struct part *parts, size_t count)
{
	int64_t status = 0, part_status;
	int known = 0;

	for (size_t i = 0; i < count && !status; i++)
		if (field_count(parts[i].json, "exit_status", &part_status)) {
			status = part_status;
			known = 1;
		}
	if (known)
		merge_put_exit(out, status);
}

static void copy_tasks(const struct part *parts, size_t count, struct json_object *tasks)
{
	for (size_t i = 0; i < count; i++) {
		struct json_object *from = field_typed(parts[i].json, "tasks", json_type_array);

		for (size_t t = 0; t < field_length(from); t++) {
			struct json_object *task = json_object_array_get_idx(from, t);
			struct json_object *copy;
			int64_t rank, pid;

			if (is_printed(task))
				json_object_array_add(tasks, json_object_get(task));
			if (!field_count(task, "rank", &rank) || !field_count(task, "pid", &pid))
				continue;
			copy = json_object_new_object();
			put_count(copy, "rank", rank);
			put_count(copy, "pid", pid);
			put_text(copy, "node", parts[i].node);
			json_object_array_add(tasks, copy);
		}
	}
}

static void put_tasks(struct json_object *out, const struct part *parts, size_t count)
{
	int64_t value;

	if (field_count(parts[0].json, "nodes", &value))
		put_count(out, "nodes", value);
	if (field_count(parts[0].json, "task_count", &value))
		put_count(out, "task_count", value);
	copy_tasks(parts, count, put_array(out, "tasks"));
}

struct merged_step {
	struct json_object *object;
	int64_t start_ns;
	bool empty; /* no process of the user ran, on any of its nodes */
};

/* Adds what the step's parts used. Where no part has totals, one gap says so. */
static void put_used(const struct totals *totals, bool any, const struct part *parts, size_t count, struct json_object *gaps,
		     struct json_object *out)
{
	char prefix[64];

	snprintf(prefix, sizeof(prefix), "steps.%s", parts[0].id);
	utf8_finish(prefix);
	if (any)
		totals_put_step(totals, out, gaps, prefix);
	else
		sum_gap(gaps, prefix, NULL, (unsigned int)count, parts[0].node);
}

static void add_totals(struct merged_step *step, const struct part *parts, size_t count, bool for_row,
		       struct json_object *gaps)
{
	struct totals totals = { 0 };
	bool any_totals = false;
	int64_t nodes;

	for (size_t i = 0; i < count; i++) {
		struct json_object *json = field_typed(parts[i].json, "totals", json_type_object);
		struct numbers room;

		totals_add(&totals, numbers_of(json, &room), parts[i].node);
		any_totals |= json != NULL;
	}
	if (!for_row)
		put_used(&totals, any_totals, parts, count, gaps, step->object);
	step->empty = sums_known(&totals.sums, SUM_PROCESSES) && totals.sums.of[SUM_PROCESSES].value == 0 &&
		      field_count(parts[0].json, "nodes", &nodes) && count >= (uint64_t)nodes;
}

static void build_step(struct merged_step *step, const struct part *parts, size_t count, bool for_row,
		       struct json_object *gaps)
{
	step->object = json_object_new_object();
	step->start_ns = INT64_MAX;
	for (size_t i = 0; i < count; i++)
		if (start_of(parts[i].json) < step->start_ns)
			step->start_ns = start_of(parts[i].json);
	put_text(step->object, "id", parts[0].id);
	put_times(step->object, parts, count);
	put_exit(step->object, parts, count);
	add_totals(step, parts, count, for_row, gaps);
	put_tasks(step->object, parts, count);
}

static size_t collect_parts(struct json_object *const records[], size_t count, struct part *parts)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		struct json_object *steps = field_typed(records[i], "steps", json_type_array);

		for (size_t s = 0; s < field_length(steps); s++) {
			struct part part = { .json = json_object_array_get_idx(steps, s) };

			part.id = field_text(part.json, "id");
			part.node = record_node(records[i]);
			if (part.id)
				parts[used++] = part;
		}
	}
	return used;
}

static int compare_steps(const void *a, const void *b)
{
	const struct merged_step *one = a, *other = b;

	if (one->start_ns != other->start_ns)
		return one->start_ns < other->start_ns ? -1 : 1;
	return strcmp(field_text(one->object, "id"), field_text(other->object, "id"));
}

/* The extern step is Slurm's own. It only holds the job's processes together, and never has a process of the user. */
static bool is_extern(struct json_object *step)
{
	return field_is(step, "id", "extern");
}

static bool is_batch(struct json_object *step)
{
	return field_is(step, "id", "batch");
}

struct json_object *merge_steps(struct json_object *const records[], size_t count, bool for_row,
				struct json_object *gaps, struct json_object *empty)
{
	struct json_object *out = json_object_new_array();
	cleanup_free struct part *parts = NULL;
	cleanup_free struct merged_step *steps = NULL;
	size_t room = 0, used, distinct = 0, next;

	for (size_t i = 0; i < count; i++)
		room += field_length(field_typed(records[i], "steps", json_type_array));
	parts = calloc(room + 1, sizeof(*parts));
	steps = calloc(room + 1, sizeof(*steps));
	if (!parts || !steps)
		return out;
	used = collect_parts(records, count, parts);
	qsort(parts, used, sizeof(*parts), compare_parts);
	for (size_t i = 0; i < used; i = next) {
		for (next = i; next < used && strcmp(parts[next].id, parts[i].id) == 0; next++)
			;
		build_step(&steps[distinct++], parts + i, next - i, for_row, gaps);
	}
	qsort(steps, distinct, sizeof(*steps), compare_steps);
	for (size_t i = 0; i < distinct; i++) {
		json_object_array_add(out, steps[i].object);
		if (steps[i].empty && !is_extern(steps[i].object))
			json_object_array_add(empty, json_object_get(field_find(steps[i].object, "id")));
	}
	return out;
}

void merge_mark_timed_out(struct json_object *steps, struct json_object *slurm)
{
	struct json_object *list = field_typed(slurm, "steps_timed_out", json_type_array);

	for (size_t i = 0; i < field_length(list); i++) {
		const char *id = json_object_get_string(json_object_array_get_idx(list, i));

		for (size_t s = 0; id && s < field_length(steps); s++) {
			struct json_object *step = json_object_array_get_idx(steps, s);

			if (field_is(step, "id", id))
				put_flag(step, "timed_out", true);
		}
	}
}

/* The batch step's one task stays an object: the outcome's sentence looks for the job script's process. */
void merge_settle_tasks(struct json_object *record)
{
	struct json_object *steps = field_typed(record, "steps", json_type_array), *text, *tasks;

	for (size_t i = 0; i < field_length(steps); i++) {
		struct part part = { .json = json_object_array_get_idx(steps, i), .node = record_node(record) };

		if (!field_typed(part.json, "tasks", json_type_array) || is_batch(part.json))
			continue;
		tasks = json_object_new_array();
		copy_tasks(&part, 1, tasks);
		text = printed_list(tasks);
		tasks = put_array(part.json, "tasks");
		if (text)
			json_object_array_add(tasks, text);
	}
}
