/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "reports/compare/compare.h"
#include "reports/model/report_values.h"

struct writer {
	FILE *out;
	int depth;
	const char *before;
};

/* @name: NULL within a list */
static void begin(struct writer *json, const char *name)
{
	fprintf(json->out, "%s\n%*s", json->before, 2 * json->depth, "");
	if (name)
		fprintf(json->out, "\"%s\": ", name);
	json->before = ",";
}

static void enter(struct writer *json, const char *name, char bracket)
{
	begin(json, name);
	fputc(bracket, json->out);
	json->depth++;
	json->before = "";
}

static void leave(struct writer *json, char bracket)
{
	json->depth--;
	fprintf(json->out, "\n%*s%c", 2 * json->depth, "", bracket);
	json->before = ",";
}

static void put_text(struct writer *json, const char *name, const char *text)
{
	if (!text)
		return;
	begin(json, name);
	values_print_text(text, json->out);
}

static void put_count(struct writer *json, const char *name, size_t count)
{
	begin(json, name);
	fprintf(json->out, "%zu", count);
}

/* 17 digits distinguish all doubles. */
static void put_number(struct writer *json, const char *name, double value)
{
	char text[32];

	if (!isfinite(value))
		return;
	snprintf(text, sizeof(text), "%.17g", value);
	begin(json, name);
	fprintf(json->out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void put_side(struct writer *json, const char *name, const struct compare_side *side)
{
	const struct summary *first = &side->rows.list[0];
	char id[SUMMARY_ID_TEXT];

	enter(json, name, '{');
	put_text(json, "job", summary_id(first, id));
	put_text(json, "name", first->name);
	if (first->array >= 0)
		put_count(json, "array_job_id", (size_t)first->array);
	if (side->rows.count == 1)
		put_text(json, "state", first->state);
	put_count(json, "tasks", side->rows.count);
	put_count(json, "tasks_compared", side->count);
	put_count(json, "tasks_incomplete", side->incomplete);
	put_text(json, "incomplete_reason", side->incomplete_why);
	put_number(json, "cpus_asked", side->cpus_asked);
	put_number(json, "memory_asked_bytes", side->memory_asked);
	leave(json, '}');
}

static void add_line(struct writer *json, const struct compare *compare, size_t index)
{
	static const char *const marks[] = {
		[COMPARE_SAME] = "same",	   [COMPARE_BETTER] = "better",	   [COMPARE_WORSE] = "worse",
		[COMPARE_DIFFERS] = "differs", [COMPARE_PARTIAL] = "partial", [COMPARE_UNKNOWN] = "unknown",
	};
	static const char *const units[] = { "s", "bytes", "count", "share", "core hours", "share" };
	const struct compare_rule *rule = &compare_rules[index];
	const struct compare_line *line = &compare->lines[index];

	enter(json, NULL, '{');
	put_text(json, "name", rule->name);
	put_text(json, "unit", units[rule->unit]);
	put_text(json, "result", marks[line->mark]);
	put_number(json, "a", line->a);
	put_number(json, "b", line->b);
	if (compare->arrays) {
		put_number(json, "a_low", line->a_low);
		put_number(json, "a_high", line->a_high);
		put_number(json, "b_low", line->b_low);
		put_number(json, "b_high", line->b_high);
	}
	put_number(json, "delta", line->delta);
	put_number(json, "relative", line->relative);
	put_number(json, "chance", line->chance);
	put_text(json, "reason", line->reason);
	enter(json, "threshold", '{');
	put_number(json, "relative", rule->relative);
	put_number(json, "floor", rule->floor);
	put_number(json, "elapsed_share", rule->elapsed_share);
	leave(json, '}');
	leave(json, '}');
}

static void put_tool(struct writer *json, const char *name, const struct compare_tool *tool)
{
	if (!tool)
		return;
	enter(json, name, '{');
	put_number(json, "runs", tool->runs);
	put_number(json, "failures", tool->failures);
	put_number(json, "cpu_s", tool->cpu_s);
	put_number(json, "wall_s", tool->wall_s);
	leave(json, '}');
}

static void add_tool(struct writer *json, const struct compare_tool_line *line)
{
	static const char *const words[] = { "new", "gone", "more-failures", "fewer-failures", "more-runs", "fewer-runs",
					     "slower", "faster", "more-cpu", "less-cpu" }; /* by bit number */
	const struct compare_tool *any = line->a ? line->a : line->b;

	enter(json, NULL, '{');
	put_text(json, "name", any->name);
	if (*any->interpreter)
		put_text(json, "interpreter", any->interpreter);
	enter(json, "changes", '[');
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (line->changes & (1u << i))
			put_text(json, NULL, words[i]);
	leave(json, ']');
	put_tool(json, "a", line->a);
	put_tool(json, "b", line->b);
	leave(json, '}');
}

static void put_whole(struct writer *json, const struct compare *compare)
{
	cleanup_free char *sentence = compare_sentence(compare);

	put_text(json, "schema", "stint-compare/1");
	put_text(json, "sentence", sentence);
	put_side(json, "a", &compare->a);
	put_side(json, "b", &compare->b);
	if (compare->pairs > 0) {
		put_count(json, "pairs", compare->pairs);
		put_count(json, "pairs_longer", compare->longer);
		put_count(json, "pairs_shorter", compare->shorter);
	}
	enter(json, "quantities", '[');
	for (size_t i = 0; i < compare_rule_count; i++)
		if (compare->lines[i].mark != COMPARE_NO_GPUS)
			add_line(json, compare, i);
	leave(json, ']');
	enter(json, "tools", '[');
	for (size_t i = 0; i < compare->tool_count; i++)
		add_tool(json, &compare->tools[i]);
	leave(json, ']');
}

void compare_print_json(const struct compare *compare, FILE *out)
{
	cleanup_free char *text = NULL, *safe = NULL;
	size_t len;
	struct writer json = { open_memstream(&text, &len), 1, "" };

	if (!json.out)
		return;
	fputc('{', json.out);
	put_whole(&json, compare);
	leave(&json, '}');
	if (fclose(json.out) == 0)
		safe = escape_json(text, NULL);
	if (safe)
		fprintf(out, "%s\n", safe);
}
