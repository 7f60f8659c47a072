/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "reports/html/html_internal.h"
#include "reports/json/field.h"
#include "reports/json/units.h"
#include "reports/wording/tool_fields.h"

#define UNKNOWN "<td class=\"n unknown\">-</td>"

static void number_cell(FILE *out, double value, const char *text)
{
	fprintf(out, "<td class=\"n\" data-v=\"%.9g\">%s</td>", value, text);
}

static void count_cell(FILE *out, int64_t value)
{
	fprintf(out, "<td class=\"n\" data-v=\"%lld\">%lld</td>", (long long)value, (long long)value);
}

static void share_cell(FILE *out, double value, double whole)
{
	double share = value < whole ? value / whole : 1;

	if (whole <= 0) {
		fputs(UNKNOWN, out);
		return;
	}
	fprintf(out, "<td class=\"n share\" data-v=\"%.6f\">", share);
	html_bar(out, share);
	fprintf(out, "<span>%.1f %%</span></td>", 100 * share);
}

static void peak_cell(FILE *out, double value, bool at_least)
{
	char text[SIZE_TEXT];

	fprintf(out, "<td class=\"n\" data-v=\"%.9g\">%s%s</td>", value, at_least ? "at least " : "", size_text(value, text));
}

static void measured_cell(FILE *out, const struct html_table *table, const struct html_column *column,
			  struct json_object *row)
{
	char text[SIZE_TEXT > DURATION_TEXT ? SIZE_TEXT : DURATION_TEXT];
	double value;
	int64_t count;

	if (column->kind == HTML_COUNT && field_count(row, column->field, &count))
		count_cell(out, count);
	else if (column->kind == HTML_COUNT || !field_number(row, column->field, &value))
		fputs(UNKNOWN, out);
	else if (column->kind == HTML_SIZE)
		number_cell(out, value, size_text(value, text));
	else if (column->kind == HTML_PEAK)
		peak_cell(out, value, field_true(row, "memory_used_peak_at_least"));
	else if (column->kind == HTML_TIME)
		number_cell(out, value, short_duration_text(value, text));
	else
		share_cell(out, value, table->whole);
}

/* Returns whether an exit code or a signal means failure: not that of a fork, nor of a run that its parent ended. */
static bool can_fail(struct json_object *row)
{
	return !field_true(row, "forked") && !field_true(row, "dismissed");
}

static void ending_cell(FILE *out, struct json_object *row)
{
	const char *bad = can_fail(row) ? " bad" : "";
	int64_t code, signal = 0;

	if (field_count(row, "signal", &signal) && signal)
		fprintf(out, "<td class=\"n%s\" data-v=\"%.0f\">signal %lld</td>", bad, 1000.0 + (double)signal,
			(long long)signal);
	else if (field_count(row, "exit_code", &code))
		fprintf(out, "<td class=\"n%s\" data-v=\"%lld\">%lld</td>", code ? bad : "", (long long)code,
			(long long)code);
	else
		fputs(UNKNOWN, out);
}

static void runs_cell(FILE *out, struct json_object *row)
{
	int64_t count = 1;

	field_count(row, "count", &count);
	if (!field_true(row, "forked"))
		count_cell(out, count);
	else if (count > 1)
		fprintf(out, "<td class=\"n\" data-v=\"0\">%lld forks</td>", (long long)count);
	else
		fputs("<td class=\"n\" data-v=\"0\">fork</td>", out);
}

static void print_mark(FILE *out, const char *word, const char *name)
{
	fprintf(out, " <span class=\"by\">%s ", word);
	html_text(out, name);
	fputs("</span>", out);
}

/* Prints what stands beside the name of the tool of @row, which is one of @list: another may have that name. */
static void print_marks(FILE *out, struct json_object *list, struct json_object *row)
{
	const char *interpreter = field_text(row, "interpreter"), *folder;
	char folder_text[TOOL_FOLDER_TEXT];
	int64_t living = 0;

	folder = tool_fields_folder(list, row, folder_text);
	if (interpreter)
		print_mark(out, "by", interpreter);
	if (folder)
		print_mark(out, "in", folder);
	if (field_count(row, "living", &living) && living > 0)
		fprintf(out, " <span class=\"by\">%lld running</span>", (long long)living);
	else if (field_true(row, "living"))
		fputs(" <span class=\"by\">running</span>", out);
}

/* No type means, for example, waits for paths that were not opened yet. The page for terminals uses the same words. */
static void text_cell(FILE *out, const struct html_column *column, struct json_object *list, struct json_object *row, bool first)
{
	const char *text = field_text(row, column->field);

	fputs(first ? "<th scope=\"row\">" : "<td>", out);
	html_text(out, !text ? "-" : *text ? text : "(not identified)");
	if (column->kind == HTML_TOOL)
		print_marks(out, list, row);
	fputs(first ? "</th>" : "</td>", out);
}

static void print_row(FILE *out, const struct html_table *table, struct json_object *list, struct json_object *row, uint64_t shown)
{
	fputs("<tr>", out);
	for (size_t c = 0; c < table->columns_count; c++) {
		const struct html_column *column = &table->columns[c];

		if (!(shown >> c & 1))
			continue;
		if (column->kind == HTML_TEXT || column->kind == HTML_TOOL)
			text_cell(out, column, list, row, c == 0);
		else if (column->kind == HTML_ENDING)
			ending_cell(out, row);
		else if (column->kind == HTML_RUNS)
			runs_cell(out, row);
		else
			measured_cell(out, table, column, row);
	}
	fputs("</tr>\n", out);
}

static bool is_worth(const struct html_table *table, struct json_object *row)
{
	return json_object_is_type(row, json_type_object) && (!table->worth || table->worth(row));
}

static bool is_rare(const struct html_table *table, const struct html_column *column)
{
	for (size_t i = 0; table->rare && table->rare[i]; i++)
		if (column->field && strcmp(column->field, table->rare[i]) == 0)
			return true;
	return false;
}

/* Returns the columns that are shown, as a set of their places. */
static uint64_t shown_columns(const struct html_table *table, struct json_object *list)
{
	uint64_t shown = 0;

	for (size_t c = 0; c < table->columns_count; c++) {
		const struct html_column *column = &table->columns[c];
		bool any = !is_rare(table, column);

		for (size_t i = 0; !any && i < field_length(list); i++) {
			struct json_object *row = json_object_array_get_idx(list, i);
			double value = 0;

			any = is_worth(table, row) && field_number(row, column->field, &value) && value > 0;
		}
		shown |= (uint64_t)any << c;
	}
	return shown;
}

static void print_heads(FILE *out, const struct html_table *table, uint64_t shown)
{
	fputs("<thead><tr>", out);
	for (size_t c = 0; c < table->columns_count; c++) {
		if (!(shown >> c & 1))
			continue;
		bool text = table->columns[c].kind == HTML_TEXT || table->columns[c].kind == HTML_TOOL;

		fprintf(out, "<th scope=\"col\"%s>", text ? "" : " class=\"n\"");
		html_text(out, table->columns[c].head);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

void html_bare_table(FILE *out, const struct html_table *table, struct json_object *list)
{
	uint64_t shown = shown_columns(table, list);
	size_t worth = 0;

	fprintf(out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table id=\"%s\">\n",
		table->title, table->id);
	print_heads(out, table, shown);
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *row = json_object_array_get_idx(list, i);

		if (is_worth(table, row) && worth++ < table->max)
			print_row(out, table, list, row, shown);
	}
	fputs("</tbody></table></div>\n", out);
	if (worth > table->max)
		fprintf(out, "<p class=\"note\">The first %zu of %zu; <code>stint report --json</code> has all.</p>\n",
			table->max, worth);
}

void html_table(FILE *out, const struct html_table *table, struct json_object *list)
{
	size_t worth = 0;

	for (size_t i = 0; i < field_length(list); i++)
		worth += is_worth(table, json_object_array_get_idx(list, i));
	if (worth == 0)
		return;
	fprintf(out, "<section aria-labelledby=\"%s-h\"><h2 id=\"%s-h\">%s</h2>\n", table->id, table->id, table->title);
	if (table->note)
		fprintf(out, "<p class=\"note\">%s</p>\n", table->note);
	html_bare_table(out, table, list);
	fputs("</section>\n", out);
}
