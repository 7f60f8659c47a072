/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the tools that get an entry of their own: first the tools that the verdict may name, then the tools with the
 * most CPU time. The other tools are added up as one.
 */
#include <stdlib.h>

#include "common/cleanup.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/workers.h"
#include "reports/json/field.h"
#include "reports/store/store_line.h"
#include "reports/store/store_line_internal.h"

struct choice {
	const struct record_tool *tool;
	bool named; /* true if the tool is chosen first, for example because a list in the line refers to it */
	int64_t failures, count;
};

static struct json_object *tool_name(const struct store_making *making, const struct record_tool *tool)
{
	if (!making->scripts && tool->interpreter)
		return store_new_name(tool->interpreter);
	return store_new_name(merge_name_of_tool(tool, &making->script));
}

int64_t store_tool_place(const struct store_making *making, int64_t index)
{
	return record_tool_at(making->record, index) ? making->places[index] : -1;
}

/* ---- choosing tools ---- */

static void mark_named(struct choice *choices, const struct record *record, int64_t index)
{
	if (record_tool_at(record, index))
		choices[index].named = true;
}

/*
 * Chooses first the job's script, because it may not have failed by itself (reports/rules/failing_tools.c), and tools
 * that rules name.
 */
static void mark_known(struct choice *choices, const struct store_making *making)
{
	const struct record_tool_list *tools = &making->record->tools;

	for (size_t i = 0; i < tools->count; i++) {
		const struct record_tool *tool = &tools->items[i];

		if (merge_is_script(tool, &making->script) || workers_is_ender(tool->name) || programs_is_launcher(tool->name) ||
		    programs_serves(tool->name ?: "") != SERVES_NOTHING)
			choices[i].named = true;
	}
}

static void mark_all_named(struct choice *choices, const struct record *record, const struct store_failed *failed)
{
	for (size_t i = 0; i < record->oom.count; i++)
		mark_named(choices, record, record->oom.items[i].tool);
	for (size_t i = 0; i < record->progress.stalls.count; i++)
		mark_named(choices, record, record->progress.stalls.items[i].tool);
	for (size_t i = 0; i < failed->count; i++)
		mark_named(choices, record, failed->entries[i]->tool);
}

/* Marks the tools with the most failures, signals and processes, because findings name them. */
static void mark_worst(struct choice *choices, size_t count)
{
	struct choice *failed = NULL, *killed = NULL, *most = NULL;

	for (struct choice *each = choices; each < choices + count; each++) {
		if (each->tool->slurm)
			continue;
		if (each->failures > (failed ? failed->failures : 0))
			failed = each;
		if (each->tool->signals > (killed ? killed->tool->signals : 0))
			killed = each;
		if (each->count > (most ? most->count : 0))
			most = each;
	}
	if (failed)
		failed->named = true;
	if (killed)
		killed->named = true;
	if (most)
		most->named = true;
}

static int64_t or_0(int64_t count)
{
	return count < 0 ? 0 : count;
}

static int best_first(const void *a, const void *b)
{
	const struct choice *one = a, *other = b;

	if (one->named != other->named)
		return one->named ? -1 : 1;
	if (or_0(one->tool->cpu_ns) != or_0(other->tool->cpu_ns))
		return or_0(one->tool->cpu_ns) > or_0(other->tool->cpu_ns) ? -1 : 1;
	return one->tool < other->tool ? -1 : one->tool > other->tool;
}

static struct choice *read_choices(const struct record_tool_list *tools)
{
	struct choice *choices = calloc(tools->count + 1, sizeof(*choices));

	for (size_t i = 0; choices && i < tools->count; i++) {
		const struct record_tool *tool = &tools->items[i];

		choices[i].tool = tool;
		choices[i].failures = or_0(tool->failures) - or_0(tool->signals);
		choices[i].count = count_sum(or_0(tool->runs), or_0(tool->forks));
	}
	return choices;
}

/* ---- one tool ---- */

/*
 * Keeps the time when the last run ended only for Slurm's own tools, and for tools with a failed or dismissed run,
 * which Slurm may have ended. Keeps bytes of asynchronous I/O only if they are not 0.
 */
static struct record_tool kept_numbers(const struct record_tool *tool)
{
	struct record_tool kept = *tool;

	if (kept.failures <= 0 && kept.dismissed <= 0 && !kept.slurm)
		kept.last_end_unix_ns = REPORT_UNKNOWN;
	if (kept.async_read_bytes == 0 && kept.async_write_bytes == 0)
		kept.async_read_bytes = kept.async_write_bytes = REPORT_UNKNOWN;
	return kept;
}

static struct json_object *tool_array(struct json_object *name, struct json_object *interpreter,
				      enum store_tool_kind kind, const struct record_tool *numbers)
{
	struct json_object *out = json_object_new_array();

	json_object_array_add(out, name);
	json_object_array_add(out, interpreter);
	json_object_array_add(out, json_object_new_int64(kind));
	store_put_columns(out, numbers, store_tool_columns, REPORT_UNKNOWN);
	return out;
}

static enum store_tool_kind kind_of(const struct store_making *making, const struct record_tool *tool)
{
	return tool->slurm ? STORE_SLURMS : merge_is_script(tool, &making->script) ? STORE_SCRIPT : STORE_USERS;
}

static struct json_object *one_tool(const struct store_making *making, const struct record_tool *tool)
{
	struct record_tool numbers = kept_numbers(tool);
	struct json_object *interpreter = making->scripts ? store_new_name(tool->interpreter) : NULL;

	return tool_array(tool_name(making, tool), interpreter, kind_of(making, tool), &numbers);
}

/* ---- the other tools ---- */

static bool is_peak(uint16_t column)
{
	return column == offsetof(struct record_tool, peak_bytes) || column == offsetof(struct record_tool, used_peak_bytes) ||
	       column == offsetof(struct record_tool, threads_peak) || column == offsetof(struct record_tool, last_end_unix_ns);
}

/* The sums of those tools of one kind that get no entry of their own. */
struct rest {
	struct record_tool sums;
	bool any; /* true if there is any such tool */
	size_t room; /* how many more tools of this kind can get an entry of their own */
};

static void add_to_rest(struct rest *rest, const struct record_tool *tool)
{
	struct record_tool numbers = kept_numbers(tool);

	if (!rest->any) {
		rest->sums = numbers;
		rest->any = true;
		return;
	}
	for (const uint16_t *column = store_tool_columns; *column != STORE_END; column++) {
		int64_t *sum = store_count_at(&rest->sums, *column), value = *store_count_at(&numbers, *column);

		if (is_peak(*column))
			*sum = *sum > value ? *sum : value;
		else
			*sum = *sum >= 0 && value >= 0 ? count_sum(*sum, value) : REPORT_UNKNOWN; /* unknown, because one of the
												   * tools lacks the number */
	}
}

/*
 * Returns the line's list of tools in the order of @choices, as long as there is room. For all other tools, adds one
 * entry of each kind.
 */
static struct json_object *list_tools(struct store_making *making, const struct choice *choices)
{
	struct rest rests[] = { [STORE_USERS] = { .room = STORE_LINE_TOOLS }, [STORE_SLURMS] = { .room = STORE_SLURM_TOOLS } };
	struct json_object *out = json_object_new_array();

	for (size_t i = 0; i < making->record->tools.count; i++) {
		const struct record_tool *tool = choices[i].tool;
		struct rest *rest = &rests[tool->slurm ? STORE_SLURMS : STORE_USERS];
		int64_t *place = &making->places[tool - making->record->tools.items];

		*place = -1;
		if (!tool->name)
			continue;
		if (!rest->room) {
			add_to_rest(rest, tool);
			continue;
		}
		rest->room--;
		*place = (int64_t)field_length(out);
		json_object_array_add(out, one_tool(making, tool));
	}
	for (enum store_tool_kind kind = STORE_USERS; kind <= STORE_SLURMS; kind++) {
		if (rests[kind].any)
			json_object_array_add(out, tool_array(store_new_text(STORE_LINE_REST, STORE_TEXT), NULL, kind,
							      &rests[kind].sums));
	}
	return out;
}

struct json_object *store_choose_tools(struct store_making *making, const struct store_failed *failed)
{
	const struct record_tool_list *tools = &making->record->tools;
	cleanup_free struct choice *choices = read_choices(tools);

	making->places = calloc(tools->count + 1, sizeof(*making->places));
	if (!choices || !making->places)
		return NULL;
	mark_all_named(choices, making->record, failed);
	mark_worst(choices, tools->count);
	mark_known(choices, making);
	qsort(choices, tools->count, sizeof(*choices), best_first);
	return list_tools(making, choices);
}
