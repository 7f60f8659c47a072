/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdint.h>

#include "reports/html/html_internal.h"
#include "reports/json/units.h"

/* ---- cells ---- */

double html_number(const struct html_column *column, const void *row)
{
	const char *member = (const char *)row + column->offset;
	int64_t count;

	switch (column->kind) {
	case HTML_COUNT:
	case HTML_SIZE:
		count = *(const int64_t *)member;
		return count < 0 ? NAN : (double)count; /* a negative count is not known */
	case HTML_TIME:
	case HTML_SHARE:
		return report_s(*(const struct report_seconds *)member);
	default:
		return NAN;
	}
}

void html_unknown_cell(FILE *out)
{
	fputs("<td class=\"n unknown\">-</td>", out);
}

static void number_cell(FILE *out, double value, const char *text)
{
	fprintf(out, "<td class=\"n\" data-v=\"%.9g\">%s</td>", value, text);
}

static void count_cell(FILE *out, int64_t count)
{
	if (count < 0)
		html_unknown_cell(out);
	else
		fprintf(out, "<td class=\"n\" data-v=\"%lld\">%lld</td>", (long long)count, (long long)count);
}

static void share_cell(FILE *out, double value, double whole)
{
	double share = value < whole ? value / whole : 1;

	if (!(whole > 0)) {
		html_unknown_cell(out);
		return;
	}
	fprintf(out, "<td class=\"n share\" data-v=\"%.6f\">", share);
	html_bar(out, share);
	fprintf(out, "<span>%.1f %%</span></td>", 100 * share);
}

static void measured_cell(FILE *out, const struct html_table *table, const struct html_column *column, const void *row)
{
	char text[SIZE_TEXT > DURATION_TEXT ? SIZE_TEXT : DURATION_TEXT];
	double value = html_number(column, row);

	if (column->kind == HTML_COUNT)
		count_cell(out, *(const int64_t *)((const char *)row + column->offset));
	else if (isnan(value))
		html_unknown_cell(out);
	else if (column->kind == HTML_SIZE)
		number_cell(out, value, size_text(value, text));
	else if (column->kind == HTML_TIME)
		number_cell(out, value, short_duration_text(value, text));
	else
		share_cell(out, value, report_s(table->report->used.cpu_s));
}

/* An empty text means "not identified", such as the file system of a path that was never opened. */
static void text_cell(FILE *out, const struct html_table *table, const struct html_column *column, const void *row)
{
	const char *text = *(const char *const *)((const char *)row + column->offset);
	bool first = column == table->columns;

	fputs(first ? "<th scope=\"row\">" : "<td>", out);
	html_text(out, !text ? "-" : *text ? text : "(not identified)");
	if (column->print)
		column->print(table->report, row, out);
	fputs(first ? "</th>" : "</td>", out);
}

/* ---- the table ---- */

static void print_row(FILE *out, const struct html_table *table, const void *row, uint64_t shown)
{
	fputs("<tr>", out);
	for (size_t c = 0; c < table->columns_count; c++) {
		const struct html_column *column = &table->columns[c];

		if (!(shown >> c & 1))
			continue;
		if (column->kind == HTML_TEXT)
			text_cell(out, table, column, row);
		else if (column->kind == HTML_NUMBER)
			column->print(table->report, row, out);
		else
			measured_cell(out, table, column, row);
	}
	fputs("</tr>\n", out);
}

/*
 * Returns the row @i; NULL if it should not be shown.
 * The first member of each row's struct says whether the struct is known.
 */
static const void *row_at(const struct html_table *table, size_t i)
{
	const void *row = (const char *)table->rows + i * table->row_bytes;

	return *(const bool *)row && (!table->worth || table->worth(row)) ? row : NULL;
}

static uint64_t shown_columns(const struct html_table *table)
{
	uint64_t shown = 0;

	for (size_t c = 0; c < table->columns_count; c++) {
		const struct html_column *column = &table->columns[c];
		bool any = !column->rare;

		for (size_t i = 0; !any && i < table->rows_count; i++) {
			const void *row = row_at(table, i);

			any = row && html_number(column, row) > 0;
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
		fprintf(out, "<th scope=\"col\"%s>", table->columns[c].kind == HTML_TEXT ? "" : " class=\"n\"");
		html_text(out, table->columns[c].head);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

void html_bare_table(FILE *out, const struct html_table *table)
{
	uint64_t shown = shown_columns(table);
	size_t worth = 0;

	fprintf(out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table id=\"%s\">\n",
		table->title, table->id);
	print_heads(out, table, shown);
	for (size_t i = 0; i < table->rows_count; i++) {
		const void *row = row_at(table, i);

		if (row && worth++ < table->max)
			print_row(out, table, row, shown);
	}
	fputs("</tbody></table></div>\n", out);
	if (worth > table->max)
		fprintf(out, "<p class=\"note\">The first %zu of %zu; <code>stint report --json</code> has all.</p>\n",
			table->max, worth);
}

void html_table(FILE *out, const struct html_table *table)
{
	size_t worth = 0;

	for (size_t i = 0; i < table->rows_count; i++)
		worth += row_at(table, i) != NULL;
	if (worth == 0)
		return;
	fprintf(out, "<section aria-labelledby=\"%s-h\"><h2 id=\"%s-h\">%s</h2>\n", table->id, table->id, table->title);
	if (table->note)
		fprintf(out, "<p class=\"note\">%s</p>\n", table->note);
	html_bare_table(out, table);
	fputs("</section>\n", out);
}
