/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tools of a store line: those that the verdict may name, then those with most CPU time; the others as one. */
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/json/field.h"
#include "reports/store/store_line.h"
#include "reports/store/store_line_internal.h"

struct choice {
	struct json_object *tool;
	size_t index; /* in the record */
	bool named; /* something in the line refers to it */
	int64_t cpu_ns, failures, signals, count;
};

static bool is_slurms(const struct choice *choice)
{
	return field_true(choice->tool, "slurm");
}

struct json_object *store_tool_name(const struct store_making *making, struct json_object *tool)
{
	const char *interpreter = field_text(tool, "interpreter");

	if (!making->scripts && interpreter)
		return store_new_name(interpreter);
	return store_new_name(merge_name_of_tool(tool, &making->script));
}

struct json_object *store_tool_place(const struct store_making *making, struct json_object *entry)
{
	int64_t index;

	if (!field_count(entry, "tool", &index) || (uint64_t)index >= making->tool_count || making->places[index] < 0)
		return NULL;
	return json_object_new_int64(making->places[index]);
}

/* ---- which ones ---- */

static void mark_named(struct choice *choices, size_t count, struct json_object *entries)
{
	int64_t index;

	for (size_t i = 0; i < field_length(entries); i++)
		if (field_count(json_object_array_get_idx(entries, i), "tool", &index) && (uint64_t)index < count)
			choices[index].named = true;
}

/* The findings name the tool with most failures, most signals, most processes. */
static void mark_worst(struct choice *choices, size_t count)
{
	struct choice *failed = NULL, *killed = NULL, *most = NULL;

	for (struct choice *each = choices; each < choices + count; each++) {
		if (is_slurms(each))
			continue;
		if (each->failures > (failed ? failed->failures : 0))
			failed = each;
		if (each->signals > (killed ? killed->signals : 0))
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

static int best_first(const void *a, const void *b)
{
	const struct choice *one = a, *other = b;

	if (one->named != other->named)
		return one->named ? -1 : 1;
	if (one->cpu_ns != other->cpu_ns)
		return one->cpu_ns > other->cpu_ns ? -1 : 1;
	return one->index < other->index ? -1 : one->index > other->index;
}

static struct choice *read_choices(struct json_object *tools, size_t count)
{
	struct choice *choices = calloc(count + 1, sizeof(*choices));

	for (size_t i = 0; choices && i < count; i++) {
		struct choice *choice = &choices[i];
		int64_t runs = 0, forks = 0;

		choice->tool = json_object_array_get_idx(tools, i);
		choice->index = i;
		numbers_count(choice->tool, SUM_CPU, &choice->cpu_ns);
		numbers_count(choice->tool, NUMBER_SIGNALS, &choice->signals);
		numbers_count(choice->tool, NUMBER_FAILURES, &choice->failures);
		choice->failures -= choice->signals;
		numbers_count(choice->tool, NUMBER_RUNS, &runs);
		numbers_count(choice->tool, NUMBER_FORKS, &forks);
		choice->count = count_sum(runs, forks);
	}
	return choices;
}

/* ---- one tool ---- */

/* When the last run ended matters for a tool that failed: it may have been Slurm that ended it. */
static struct numbers kept_numbers(struct json_object *tool)
{
	struct numbers room, kept = *numbers_of(tool, &room);

	if (kept.of[NUMBER_FAILURES] <= 0)
		kept.of[NUMBER_LAST_END] = -1;
	return kept;
}

static struct json_object *tool_array(struct json_object *name, struct json_object *interpreter,
				      enum store_tool_kind kind, const struct numbers *numbers)
{
	struct json_object *out = json_object_new_array();

	json_object_array_add(out, name);
	json_object_array_add(out, interpreter);
	json_object_array_add(out, json_object_new_int64(kind));
	store_put_numbers(out, numbers, store_tool_columns);
	return out;
}

static struct json_object *one_tool(const struct store_making *making, struct json_object *tool)
{
	struct numbers numbers = kept_numbers(tool);
	struct json_object *interpreter = making->scripts ? store_new_name(field_text(tool, "interpreter")) : NULL;

	return tool_array(store_tool_name(making, tool), interpreter, field_true(tool, "slurm") ? STORE_SLURMS : STORE_USERS,
			  &numbers);
}

/* ---- the rest ---- */

static bool is_peak(int number)
{
	return number == NUMBER_PEAK || number == NUMBER_USED_PEAK || number == NUMBER_THREADS_PEAK || number == NUMBER_LAST_END;
}

/* What is left of one kind, added up. */
struct rest {
	struct numbers numbers;
	bool any; /* something is left */
	size_t room; /* how many more tools of this kind have a place of their own */
};

static void add_to_rest(struct rest *rest, struct json_object *tool)
{
	struct numbers numbers = kept_numbers(tool);

	if (!rest->any) {
		rest->numbers = numbers;
		rest->any = true;
		return;
	}
	for (int i = 0; i < NUMBERS; i++) {
		int64_t *sum = &rest->numbers.of[i], value = numbers.of[i];

		if (is_peak(i))
			*sum = *sum > value ? *sum : value;
		else
			*sum = *sum >= 0 && value >= 0 ? count_sum(*sum, value) : -1; /* one that any of them lacks is not known */
	}
}

/* Puts the chosen tools into a list, as far as there is room, and the others into it as one of each kind. */
static struct json_object *list_tools(struct store_making *making, const struct choice *choices)
{
	struct rest rests[] = { [STORE_USERS] = { .room = STORE_LINE_TOOLS }, [STORE_SLURMS] = { .room = STORE_SLURM_TOOLS } };
	struct json_object *out = json_object_new_array();

	for (size_t i = 0; i < making->tool_count; i++) {
		const struct choice *choice = &choices[i];
		struct rest *rest = &rests[is_slurms(choice) ? STORE_SLURMS : STORE_USERS];

		making->places[choice->index] = -1;
		if (!field_text(choice->tool, "name"))
			continue;
		if (!rest->room) {
			add_to_rest(rest, choice->tool);
			continue;
		}
		rest->room--;
		making->places[choice->index] = (int64_t)field_length(out);
		json_object_array_add(out, one_tool(making, choice->tool));
	}
	for (enum store_tool_kind kind = STORE_USERS; kind <= STORE_SLURMS; kind++) {
		if (rests[kind].any)
			json_object_array_add(out, tool_array(store_new_text(STORE_LINE_REST, STORE_TEXT), NULL, kind,
							      &rests[kind].numbers));
	}
	return out;
}

struct json_object *store_choose_tools(struct store_making *making, struct json_object *const *lists, size_t count)
{
	struct json_object *tools = field_typed(making->record, "tools", json_type_array);
	cleanup_free struct choice *choices = NULL;

	making->tool_count = field_length(tools);
	choices = read_choices(tools, making->tool_count);
	making->places = calloc(making->tool_count + 1, sizeof(*making->places));
	if (!choices || !making->places)
		return NULL;
	for (size_t i = 0; i < count; i++)
		mark_named(choices, making->tool_count, lists[i]);
	mark_worst(choices, making->tool_count);
	qsort(choices, making->tool_count, sizeof(*choices), best_first);
	return list_tools(making, choices);
}
