/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/compare/compare.h"
#include "reports/compare/compare_internal.h"
#include "reports/json/units.h"
#include "reports/terminal/page_table.h"

#define TOOLS_SHOWN 12
#define STATES_SHOWN 4

static void print_states(const struct compare_side *side, FILE *out)
{
	const char *words[STATES_SHOWN] = { NULL };
	size_t counts[STATES_SHOWN] = { 0 }, others = 0;

	for (size_t i = 0; i < side->rows.count; i++) {
		const char *state = side->rows.list[i].state ? side->rows.list[i].state : "state not known";
		size_t at = 0;

		while (at < STATES_SHOWN && words[at] && strcmp(words[at], state) != 0)
			at++;
		if (at == STATES_SHOWN) {
			others++;
			continue;
		}
		words[at] = state;
		counts[at]++;
	}
	for (size_t i = 0; i < STATES_SHOWN && words[i]; i++) {
		fputs(i ? ", " : "", out);
		if (side->rows.count > 1)
			fprintf(out, "%zu ", counts[i]);
		fputs(words[i], out);
	}
	if (others > 0)
		fprintf(out, ", %zu others", others);
}

static void print_side(struct page *page, const struct compare_side *side)
{
	const struct summary *first = &side->rows.list[0];
	char label[2] = { side->letter, '\0' }, id[SUMMARY_ID_TEXT], size[SIZE_TEXT];
	cleanup_free char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return;
	if (side->rows.count > 1 && first->array >= 0)
		fprintf(out, "array %lld", (long long)first->array);
	else
		fprintf(out, "job %s", summary_id(first, id));
	if (first->name)
		fprintf(out, " (%s)", first->name);
	if (side->rows.count > 1)
		fprintf(out, ", %zu tasks", side->rows.count);
	fputs(", ", out);
	print_states(side, out);
	if (!isnan(side->cpus_asked))
		fprintf(out, ", %.0f %s", side->cpus_asked, side->cpus_asked == 1 ? "CPU" : "CPUs");
	if (!isnan(side->memory_asked))
		fprintf(out, ", %s", size_text(side->memory_asked, size));
	if (first->start)
		fprintf(out, ", from %.19s", first->start);
	fclose(out);
	if (text)
		page_paragraph(page, label, "%s", text);
}

static bool states_differ(const struct compare *compare)
{
	const char *a = compare->a.rows.list[0].state, *b = compare->b.rows.list[0].state;

	return !compare->arrays && a && b && strcmp(a, b) != 0;
}

static void print_notes(struct page *page, const struct compare *compare)
{
	const struct compare_side *sides[] = { &compare->a, &compare->b };

	if (states_differ(compare))
		page_paragraph(page, "Note", "A ended as %s and B as %s, so they may not have done the same work.",
			       compare->a.rows.list[0].state, compare->b.rows.list[0].state);
	if (compare->a.cpus_asked != compare->b.cpus_asked)
		page_paragraph(page, "Note", "They did not ask for the same number of CPUs. CPU efficiency relates to what each asked "
					     "for, and core-hours are what each was given. The times show the effect.");
	for (size_t i = 0; i < 2 && compare->arrays; i++) {
		bool one = sides[i]->incomplete == 1;

		if (sides[i]->incomplete > 0)
			page_paragraph(page, "Note", "%zu task%s of %c %s not counted to the end, and %s left out: %s",
				       sides[i]->incomplete, one ? "" : "s", sides[i]->letter, one ? "was" : "were",
				       one ? "is" : "are", sides[i]->incomplete_why);
	}
	if (!compare->arrays)
		return;
	if (compare->pairs > 0)
		page_paragraph(page, "Tasks", "%zu of the same index, compared one by one: %zu took longer in B, %zu "
					      "shorter, %zu as long. Changes are medians of these.", compare->pairs, compare->longer,
			       compare->shorter, compare->pairs - compare->longer - compare->shorter);
	else if (compare->a.count < COMPARE_TASKS_MIN || compare->b.count < COMPARE_TASKS_MIN)
		page_paragraph(page, "Tasks", "%zu and %zu: too few to distinguish change from chance, so their medians are "
			       "compared as two jobs are.", compare->a.count, compare->b.count);
	else
		page_paragraph(page, "Tasks", "%zu and %zu, compared as two distributions; values are medians.",
			       compare->a.count, compare->b.count);
}

static const char *mark_word(enum compare_mark mark)
{
	static const char *const words[] = {
		[COMPARE_SAME] = "same",	   [COMPARE_BETTER] = "better",	   [COMPARE_WORSE] = "worse",
		[COMPARE_DIFFERS] = "differs", [COMPARE_PARTIAL] = "in part", [COMPARE_UNKNOWN] = "",
	};

	return words[mark];
}

static void spread_text(const struct compare_rule *rule, double value, double low, double high, bool arrays,
			char text[3 * COMPARE_TEXT])
{
	char one[COMPARE_TEXT], other[COMPARE_TEXT];

	compare_value_text(rule, value, text);
	if (!arrays || isnan(value) || low == high)
		return;
	snprintf(text + strlen(text), 2 * COMPARE_TEXT, " (%s-%s)", compare_value_text(rule, low, one),
		 compare_value_text(rule, high, other));
}

static void add_line(struct page *page, struct page_table *table, const struct compare *compare, size_t index)
{
	const struct compare_rule *rule = &compare_rules[index];
	const struct compare_line *line = &compare->lines[index];
	const char *note = rule->wait && (compare->a.several_nodes || compare->b.several_nodes) ? "(a node)" : NULL;
	char a[3 * COMPARE_TEXT], b[3 * COMPARE_TEXT], change[COMPARE_TEXT] = "";

	spread_text(rule, line->a, line->a_low, line->a_high, compare->arrays, a);
	spread_text(rule, line->b, line->b_low, line->b_high, compare->arrays, b);
	if (line->mark != COMPARE_UNKNOWN)
		compare_change_text(rule, line, change);
	page_table_add(page, table, (const char *const[]){ rule->label, a, b, change, mark_word(line->mark) }, note);
	if (line->mark == COMPARE_BETTER || line->mark == COMPARE_WORSE)
		page_table_style(table, 4, line->mark == COMPARE_BETTER ? STYLE_GOOD : STYLE_BAD);
}

static bool shown(const struct page *page, const struct compare_line *line, size_t index)
{
	if (compare_changed(line->mark) || line->mark == COMPARE_PARTIAL || index == COMPARE_ELAPSED)
		return true;
	return page->options->all && line->mark == COMPARE_SAME;
}

static void explain_lines(struct page *page, const struct compare *compare)
{
	for (size_t i = 0; i < compare_rule_count; i++)
		if (compare_rules[i].wait && !*compare_rules[i].wait && shown(page, &compare->lines[i], i))
			page_paragraph(page, "Time at work", "a thread computed, or waited for a CPU");
}

static void print_lines(struct page *page, const struct compare *compare)
{
	static const struct page_column columns[] = { { .head = "What differs" }, { .head = "A" }, { .head = "B" },
						      { .head = "Change" }, { .head = "" } };
	struct page_table table = PAGE_TABLE(columns);

	for (size_t i = 0; i < compare_rule_count; i++)
		if (shown(page, &compare->lines[i], i))
			add_line(page, &table, compare, i);
	page_table_print(page, &table);
}

/* Writes the labels of all lines with @mark and @reason (NULL: any reason). Returns the number of labels. */
static size_t list_labels(const struct compare *compare, enum compare_mark mark, const char *reason, FILE *out)
{
	size_t count = 0;

	for (size_t i = 0; i < compare_rule_count; i++) {
		const struct compare_line *line = &compare->lines[i];

		if (line->mark != mark || (reason && strcmp(line->reason, reason) != 0))
			continue;
		if (mark == COMPARE_SAME && (i == COMPARE_ELAPSED || (line->a == 0 && line->b == 0)))
			continue; /* 0 on both sides is not worth naming */
		fprintf(out, "%s%s", count++ ? ", " : "", compare_rules[i].label);
	}
	return count;
}

static void print_list(struct page *page, const struct compare *compare, enum compare_mark mark, const char *reason)
{
	cleanup_free char *text = NULL;
	size_t length, count;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return;
	count = list_labels(compare, mark, reason, out);
	fclose(out);
	if (count == 0 || !text)
		return;
	if (reason)
		page_paragraph(page, "Not known", "%s: %s", text, reason);
	else
		page_paragraph(page, "No real difference", "%s", text);
}

static void print_unknown(struct page *page, const struct compare *compare)
{
	for (size_t i = 0; i < compare_rule_count; i++) {
		const char *reason = compare->lines[i].reason;
		bool named = false;

		if (compare->lines[i].mark != COMPARE_UNKNOWN)
			continue;
		for (size_t k = 0; k < i && !named; k++)
			named = compare->lines[k].mark == COMPARE_UNKNOWN &&
				strcmp(compare->lines[k].reason, reason) == 0;
		if (!named)
			print_list(page, compare, COMPARE_UNKNOWN, reason);
	}
}

static void pair_text(double a, double b, bool has_a, bool has_b, bool seconds, char text[3 * COMPARE_TEXT])
{
	static const struct compare_rule kinds[] = { { .unit = COMPARE_COUNT }, { .unit = COMPARE_SECONDS } };
	char one[COMPARE_TEXT] = "-", other[COMPARE_TEXT] = "-";

	if (has_a)
		compare_value_text(&kinds[seconds], a, one);
	if (has_b)
		compare_value_text(&kinds[seconds], b, other);
	snprintf(text, 3 * COMPARE_TEXT, "%s / %s", one, other);
}

static void add_tool(struct page *page, struct page_table *table, const struct compare_tool_line *line)
{
	static const struct compare_tool none = { 0 };
	const struct compare_tool *a = line->a ? line->a : &none, *b = line->b ? line->b : &none;
	const struct compare_tool *any = line->a ? line->a : line->b;
	char runs[3 * COMPARE_TEXT], failures[3 * COMPARE_TEXT], cpu[3 * COMPARE_TEXT], wall[3 * COMPARE_TEXT];
	char words[160], name[512];

	snprintf(name, sizeof(name), "%.300s%s%.180s%s", any->name, *any->interpreter ? " (" : "", any->interpreter,
		 *any->interpreter ? ")" : "");
	pair_text(a->runs, b->runs, line->a, line->b, false, runs);
	pair_text(a->failures, b->failures, line->a, line->b, false, failures);
	pair_text(a->cpu_s, b->cpu_s, line->a, line->b, true, cpu);
	pair_text(a->wall_s, b->wall_s, line->a, line->b, true, wall);
	page_table_add(page, table, (const char *const[]){ name, runs, failures, cpu, wall,
		       compare_tool_words(line->changes, words, sizeof(words)) }, NULL);
}

/* A narrow page first leaves out columns that show no difference. */
static void keep_column(struct page_column *column, bool differs)
{
	if (!differs)
		column->spare += 4;
}

static void print_tools(struct page *page, const struct compare *compare)
{
	struct page_column columns[] = {
		{ .head = "Tools, A / B" }, { .head = "Runs", .spare = 3 }, { .head = "Failed", .spare = 2 },
		{ .head = "CPU", .spare = 4 },	      { .head = "Wall", .spare = 1 }, { .head = "" },
	};
	struct page_table table = PAGE_TABLE(columns);
	size_t limit = page->options->all ? compare->tool_count : TOOLS_SHOWN;
	unsigned int changes = 0;

	for (size_t i = 0; i < compare->tool_count && i < limit; i++)
		changes |= compare->tools[i].changes;
	keep_column(&columns[1], changes & (TOOL_MORE_RUNS | TOOL_FEWER_RUNS));
	keep_column(&columns[2], changes & (TOOL_MORE_FAILURES | TOOL_FEWER_FAILURES));
	keep_column(&columns[3], changes & (TOOL_MORE_CPU | TOOL_LESS_CPU));
	keep_column(&columns[4], changes & (TOOL_SLOWER | TOOL_FASTER));
	for (size_t i = 0; i < compare->tool_count && i < limit; i++)
		add_tool(page, &table, &compare->tools[i]);
	page_table_print(page, &table);
	if (compare->tool_count > limit)
		fprintf(page->out, "  and %zu more: --all\n", compare->tool_count - limit);
}

void compare_print(const struct compare *compare, const struct page_options *options, FILE *out)
{
	struct page page = { .options = options, .out = out };
	struct page_wrap plain = { .first = "", .head = STYLE_HEAD };
	cleanup_free char *sentence = compare_sentence(compare);

	if (sentence)
		page_wrapped(&page, &plain, sentence);
	fputc('\n', out);
	print_side(&page, &compare->a);
	print_side(&page, &compare->b);
	print_notes(&page, compare);
	print_lines(&page, compare);
	print_tools(&page, compare);
	fputc('\n', out);
	explain_lines(&page, compare);
	if (!options->all)
		print_list(&page, compare, COMPARE_SAME, NULL);
	print_unknown(&page, compare);
}
