/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "reports/compare/compare.h"
#include "reports/json/field.h"

#define TEXT_FLAGS (JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE | JSON_C_TO_STRING_SPACED)

static void put_number(struct json_object *object, const char *name, double value)
{
	if (isfinite(value))
		json_object_object_add(object, name, json_object_new_double(value));
}

static void put_side(struct json_object *out, const char *name, const struct compare_side *side)
{
	struct json_object *object = put_object(out, name);
	const struct summary *first = &side->rows.list[0];
	char id[SUMMARY_ID_TEXT];

	put_text(object, "job", summary_id(first, id));
	put_text(object, "name", first->name);
	if (first->array >= 0)
		put_count(object, "array_job_id", first->array);
	if (side->rows.count == 1)
		put_text(object, "state", first->state);
	put_count(object, "tasks", (int64_t)side->rows.count);
	put_count(object, "tasks_compared", (int64_t)side->count);
	put_count(object, "tasks_incomplete", (int64_t)side->incomplete);
	put_text(object, "incomplete_reason", side->incomplete_why);
	put_number(object, "cpus_asked", side->cpus_asked);
	put_number(object, "memory_asked_bytes", side->memory_asked);
}

static void add_line(struct json_object *list, const struct compare *compare, size_t index)
{
	static const char *const marks[] = {
		[COMPARE_SAME] = "same",	   [COMPARE_BETTER] = "better",	   [COMPARE_WORSE] = "worse",
		[COMPARE_DIFFERS] = "differs", [COMPARE_PARTIAL] = "partial", [COMPARE_UNKNOWN] = "unknown",
	};
	static const char *const units[] = { "s", "bytes", "count", "share", "core hours" };
	const struct compare_rule *rule = &compare_rules[index];
	const struct compare_line *line = &compare->lines[index];
	struct json_object *object = json_object_new_object(), *threshold;

	put_text(object, "name", rule->name);
	put_text(object, "unit", units[rule->unit]);
	put_text(object, "result", marks[line->mark]);
	put_number(object, "a", line->a);
	put_number(object, "b", line->b);
	if (compare->arrays) {
		put_number(object, "a_low", line->a_low);
		put_number(object, "a_high", line->a_high);
		put_number(object, "b_low", line->b_low);
		put_number(object, "b_high", line->b_high);
	}
	put_number(object, "delta", line->delta);
	put_number(object, "relative", line->relative);
	put_number(object, "chance", line->chance);
	put_text(object, "reason", line->reason);
	threshold = put_object(object, "threshold");
	put_number(threshold, "relative", rule->relative);
	put_number(threshold, "floor", rule->floor);
	put_number(threshold, "elapsed_share", rule->elapsed_share);
	json_object_array_add(list, object);
}

static void put_tool(struct json_object *out, const char *name, const struct compare_tool *tool)
{
	struct json_object *object;

	if (!tool)
		return;
	object = put_object(out, name);
	put_number(object, "runs", tool->runs);
	put_number(object, "failures", tool->failures);
	put_number(object, "cpu_s", tool->cpu_s);
	put_number(object, "wall_s", tool->wall_s);
}

static void add_tool(struct json_object *list, const struct compare_tool_line *line)
{
	static const char *const words[] = { "new", "gone", "more-failures", "fewer-failures", "more-runs", "fewer-runs",
					     "slower", "faster", "more-cpu", "less-cpu" }; /* by bit */
	const struct compare_tool *any = line->a ? line->a : line->b;
	struct json_object *object = json_object_new_object(), *changes;

	put_text(object, "name", any->name);
	if (*any->interpreter)
		put_text(object, "interpreter", any->interpreter);
	changes = put_array(object, "changes");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (line->changes & (1u << i))
			json_object_array_add(changes, json_object_new_string(words[i]));
	put_tool(object, "a", line->a);
	put_tool(object, "b", line->b);
	json_object_array_add(list, object);
}

void compare_print_json(const struct compare *compare, FILE *out)
{
	cleanup_json struct json_object *root = json_object_new_object();
	cleanup_free char *sentence = compare_sentence(compare), *safe = NULL;
	struct json_object *list;

	put_text(root, "schema", "stint-compare/1");
	put_text(root, "sentence", sentence);
	put_side(root, "a", &compare->a);
	put_side(root, "b", &compare->b);
	if (compare->pairs > 0) {
		put_count(root, "pairs", (int64_t)compare->pairs);
		put_count(root, "pairs_longer", (int64_t)compare->longer);
		put_count(root, "pairs_shorter", (int64_t)compare->shorter);
	}
	list = put_array(root, "quantities");
	for (size_t i = 0; i < compare_rule_count; i++)
		add_line(list, compare, i);
	list = put_array(root, "tools");
	for (size_t i = 0; i < compare->tool_count; i++)
		add_tool(list, &compare->tools[i]);
	safe = escape_json(json_object_to_json_string_ext(root, TEXT_FLAGS), NULL);
	if (safe)
		fprintf(out, "%s\n", safe);
}
