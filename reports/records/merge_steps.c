/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/merge.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/arena.h"
#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/records/record_input.h"
#include "reports/records/report_totals.h"

/* One step on one node. */
struct part {
	struct json_object *json;
	const struct report_task_list *tasks; /* the settled ones, or NULL */
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
	int64_t ns = INT64_MAX; /* not known: sorted after all others */

	field_count(step, "start_unix_ns", &ns);
	return ns;
}

/*
 * Returns how long it took to start the first of the step's tasks on a node, in ns: the longest of its @count parts.
 * -1: not known, or it is the extern step, which has no task of the user.
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

static int64_t start_of_all(const struct part *parts, size_t count)
{
	int64_t start = INT64_MAX;

	for (size_t i = 0; i < count; i++)
		if (start_of(parts[i].json) < start)
			start = start_of(parts[i].json);
	return start;
}

/* Adds the times of the step, made of @count parts. */
static void put_times(struct report *report, struct report_step *step, const struct part *parts, size_t count)
{
	int64_t start = start_of_all(parts, count), end = 0, ns;
	char text[TIME_TEXT];

	for (size_t i = 0; i < count; i++)
		if (field_count(parts[i].json, "end_unix_ns", &ns) && ns > end)
			end = ns;
	if (start < INT64_MAX)
		step->start = report_copy(report, time_text(start, text));
	if (end)
		step->end = report_copy(report, time_text(end, text));
	if (start < INT64_MAX && end >= start)
		step->elapsed_s.ns = end - start;
	step->launch_s.ns = launch_of(parts, count);
}

/* The first node with a failed task decides, as in Slurm. */
static void put_exit(struct report_step *step, const struct part *parts, size_t count)
{
	int64_t status = 0, part_status;
	bool known = false;

	for (size_t i = 0; i < count && !status; i++)
		if (field_count(parts[i].json, "exit_status", &part_status)) {
			status = part_status;
			known = true;
		}
	if (known)
		merge_exit(status, &step->exit_code, &step->signal);
}

static struct json_object *tasks_of(struct json_object *step)
{
	return field_typed(step, "tasks", json_type_array);
}

/* Copies the tasks of @part's record, which are not settled, to @out. Returns how many. */
static size_t read_tasks(struct report *report, const struct part *part, struct report_task *out)
{
	struct json_object *from = tasks_of(part->json);
	const char *node = field_length(from) ? report_copy(report, part->node) : NULL;
	size_t used = 0;

	for (size_t i = 0; i < field_length(from); i++) {
		struct json_object *task = json_object_array_get_idx(from, i);

		if (!field_count(task, "rank", &out[used].rank) || !field_count(task, "pid", &out[used].pid))
			continue;
		out[used++].node = node;
	}
	return used;
}

/* Makes @tasks from the @count @parts of a step. */
static void make_tasks(struct report *report, const struct part *parts, size_t count, struct report_task_list *tasks)
{
	size_t room = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		room += field_length(tasks_of(parts[i].json)) + (parts[i].tasks ? parts[i].tasks->count : 0);
	REPORT_MAKE(report, tasks, room, task);
	for (size_t i = 0; tasks->count && i < count; i++) {
		used += read_tasks(report, &parts[i], tasks->items + used);
		for (size_t t = 0; parts[i].tasks && t < parts[i].tasks->count; t++)
			tasks->items[used++] = parts[i].tasks->items[t];
	}
	tasks->count = used; /* without those that have no rank or pid */
}

struct merged_step {
	struct report_step step;
	const char *id;
	int64_t start_ns;
	bool empty; /* no process of the user ran, on any of its nodes */
};

/* Adds what the step's parts used. If no part has totals, one gap says so. */
static void put_used(const struct totals *totals, bool any, const struct part *parts, size_t count, struct making *making,
		     struct report_step *step)
{
	char prefix[64];

	snprintf(prefix, sizeof(prefix), "steps.%s", parts[0].id);
	utf8_finish(prefix);
	if (any)
		totals_put_step(totals, step, making, prefix);
	else
		sum_gap(making, prefix, NULL, (unsigned int)count, parts[0].node);
}

static void add_totals(struct merged_step *step, const struct part *parts, size_t count, bool for_row, struct making *making)
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
		put_used(&totals, any_totals, parts, count, making, &step->step);
	step->empty = sums_known(&totals.sums, SUM_PROCESSES) && totals.sums.of[SUM_PROCESSES].value == 0 &&
		      field_count(parts[0].json, "nodes", &nodes) && count >= (uint64_t)nodes;
}

static void build_step(struct merged_step *merged, const struct part *parts, size_t count, bool for_row, struct making *making)
{
	struct report_step *step = &merged->step;

	report_table_step()->forget(step);
	step->known = true;
	merged->id = parts[0].id;
	merged->start_ns = start_of_all(parts, count);
	step->id = report_copy(making->report, parts[0].id);
	put_times(making->report, step, parts, count);
	put_exit(step, parts, count);
	add_totals(merged, parts, count, for_row, making);
	field_count(parts[0].json, "nodes", &step->nodes);
	field_count(parts[0].json, "task_count", &step->task_count);
	make_tasks(making->report, parts, count, &step->tasks);
}

static size_t collect_parts(struct json_object *const records[], size_t count, struct part *parts)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		struct json_object *steps = field_typed(records[i], "steps", json_type_array);
		const struct settled *settled = settled_of(records[i]);

		for (size_t s = 0; s < field_length(steps); s++) {
			struct part part = { .json = json_object_array_get_idx(steps, s) };

			part.tasks = settled && s < settled->steps ? &settled->tasks[s] : NULL;
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
	return strcmp(one->id, other->id);
}

static bool is_id(const struct part *parts, size_t i, size_t first)
{
	return strcmp(parts[i].id, parts[first].id) == 0;
}

/* Returns how many different steps the @used @parts belong to. They must be sorted. */
static size_t count_steps(const struct part *parts, size_t used)
{
	size_t count = 0;

	for (size_t i = 0; i < used; i++)
		count += i == 0 || !is_id(parts, i, i - 1);
	return count;
}

/*
 * Puts the @count @steps into @report. The extern step only holds the job's processes together, and never has a process
 * of the user.
 */
static void put_steps(struct report *report, const struct merged_step *steps, size_t count)
{
	struct report_texts *empty = &report->progress.steps_without_processes;

	REPORT_MAKE(report, &report->steps, count, step);
	for (size_t i = 0; i < report->steps.count; i++) {
		report->steps.items[i] = steps[i].step;
		if (steps[i].empty && strcmp(steps[i].id, "extern") != 0)
			report_add_text(report, empty, steps[i].step.id);
	}
	empty->known = true;
}

void merge_steps(struct json_object *const records[], size_t count, bool for_row, struct making *making)
{
	cleanup_free struct part *parts = NULL;
	cleanup_free struct merged_step *steps = NULL;
	size_t room = 0, used = 0, distinct = 0, next;

	for (size_t i = 0; i < count; i++) {
		room += field_length(field_typed(records[i], "steps", json_type_array));
		if (settled_of(records[i]))
			report_keep(making->report, settled_of(records[i])->part);
	}
	parts = calloc(room + 1, sizeof(*parts));
	if (parts) {
		used = collect_parts(records, count, parts);
		qsort(parts, used, sizeof(*parts), compare_parts);
		steps = calloc(count_steps(parts, used) + 1, sizeof(*steps));
	}
	if (!steps)
		report_lacked(making->report);
	for (size_t i = 0; steps && i < used; i = next) {
		for (next = i; next < used && is_id(parts, next, i); next++)
			;
		build_step(&steps[distinct++], parts + i, next - i, for_row, making);
	}
	if (steps)
		qsort(steps, distinct, sizeof(*steps), compare_steps);
	put_steps(making->report, steps, distinct);
}

void merge_mark_timed_out(const struct report_step_list *steps, struct json_object *slurm)
{
	struct json_object *list = field_typed(slurm, "steps_timed_out", json_type_array);

	for (size_t i = 0; i < field_length(list); i++) {
		const char *id = json_object_get_string(json_object_array_get_idx(list, i));

		for (size_t s = 0; id && s < steps->count; s++)
			if (report_text_is(steps->items[s].id, id))
				steps->items[s].timed_out = true;
	}
}

/* The batch step's one task stays where it is: record_script_pid() looks for it. */
void merge_settle_tasks(struct json_object *record, struct settled *settled)
{
	struct json_object *steps = field_typed(record, "steps", json_type_array);
	size_t count = field_length(steps);

	settled->tasks = arena_get(report_arena(settled->part), (count + 1) * sizeof(*settled->tasks));
	if (!settled->tasks) {
		report_lacked(settled->part);
		return;
	}
	settled->steps = count;
	for (size_t i = 0; i < count; i++) {
		struct part part = { .json = json_object_array_get_idx(steps, i), .node = record_node(record) };

		settled->tasks[i] = (struct report_task_list){ 0 };
		if (!tasks_of(part.json) || field_is(part.json, "id", "batch"))
			continue;
		make_tasks(settled->part, &part, 1, &settled->tasks[i]);
		json_object_object_del(part.json, "tasks");
	}
}
