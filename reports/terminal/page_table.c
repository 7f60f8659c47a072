/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/terminal/page_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/memory/array.h"
#include "reports/json/smaller.h"

#define INDENT 2
#define BETWEEN 2
#define LABEL_MIN 8
#define NARROW_WORTH 24 /* columns that may be narrowed get at least this width first */
#define LABEL_WORTH 24 /* columns are left out if the first cell would be narrower than this */

struct page_cell_text {
	char *text;
	enum terminal_style style;
};

struct page_row {
	struct page_cell_text *cells;
	char *note; /* printed after the first cell if there is room */
};

static void cut_cell(const struct page_column *column, char *text, size_t width)
{
	if (column->fit)
		column->fit(text, width);
	else
		escape_cut(text, width);
}

static void free_row(struct page_row *row, size_t columns)
{
	for (size_t c = 0; row->cells && c < columns; c++)
		free(row->cells[c].text);
	free(row->cells);
	free(row->note);
}

void page_table_add(const struct page *page, struct page_table *table, const char *const texts[], const char *note)
{
	struct page_row row = { .cells = calloc(table->count, sizeof(*row.cells)) };
	bool whole = row.cells && array_room(&table->rows, table->row_count, sizeof(*table->rows));

	for (size_t c = 0; whole && c < table->count; c++) {
		row.cells[c].style = table->columns[c].bar ? STYLE_ACCENT : STYLE_PLAIN;
		whole = (row.cells[c].text = terminal_escape(page->options, texts[c]));
		if (whole && table->columns[c].most)
			cut_cell(&table->columns[c], row.cells[c].text, table->columns[c].most);
	}
	if (whole && note)
		whole = (row.note = terminal_escape(page->options, note));
	if (whole)
		table->rows[table->row_count++] = row;
	else
		free_row(&row, table->count);
}

void page_table_style(struct page_table *table, size_t column, enum terminal_style style)
{
	if (table->row_count > 0)
		table->rows[table->row_count - 1].cells[column].style = style;
}

/* ---- widths ---- */

struct layout {
	size_t *widths; /* 0 for a column that is left out */
	size_t columns, indent;
	size_t line; /* width of a line after the indent */
};

/* In a list, one space is enough before numbers: the headings separate the columns. */
static size_t space_before(const struct page_table *table, size_t column)
{
	return table->is_list && !table->columns[column].is_text ? 1 : BETWEEN;
}

static size_t label_width(const struct page_row *row)
{
	return escape_width(row->cells[0].text) + (row->note ? 1 + escape_width(row->note) : 0);
}

static size_t column_width(const struct page_table *table, const struct layout *layout, size_t column)
{
	size_t width = escape_width(table->columns[column].head);

	if (column == 0) /* the title is not indented */
		width = width > layout->indent ? width - layout->indent : 0;
	for (size_t r = 0; r < table->row_count; r++)
		width = larger(width, column ? escape_width(table->rows[r].cells[column].text) :
					       label_width(&table->rows[r]));
	return width;
}

static size_t width_of_others(const struct page_table *table, const struct layout *layout)
{
	size_t width = 0;

	for (size_t c = 1; c < layout->columns; c++)
		if (layout->widths[c])
			width += space_before(table, c) + layout->widths[c];
	return width;
}

static size_t least_of_others(const struct page_table *table, const struct layout *layout)
{
	size_t width = width_of_others(table, layout);

	for (size_t c = 1; c < layout->columns; c++)
		if (table->columns[c].least)
			width = width - layout->widths[c] + smaller(layout->widths[c], table->columns[c].least);
	return width;
}

/* Leaves out the columns with the largest value of spare. Returns false if there are none. */
static bool leave_out(const struct page_table *table, struct layout *layout)
{
	int most = 0;

	for (size_t c = 1; c < table->count; c++)
		if (layout->widths[c] && table->columns[c].spare > most)
			most = table->columns[c].spare;
	for (size_t c = 1; most && c < table->count; c++)
		if (table->columns[c].spare == most)
			layout->widths[c] = 0;
	return most > 0;
}

static size_t label_least(const struct page_table *table, const struct layout *layout)
{
	size_t title = escape_width(table->columns[0].head);

	return smaller(layout->widths[0], larger(title > layout->indent ? title - layout->indent : 0, LABEL_MIN));
}

/*
 * Sets the widths of the columns that may be narrowed: they share the width that is left after @used.
 * The first pass widens each column to NARROW_WORTH at most, the second pass to the width of its texts.
 */
static void narrow_columns(const struct page_table *table, struct layout *layout, size_t used)
{
	static const size_t wanted[] = { NARROW_WORTH, SIZE_MAX };
	size_t rest = used < layout->line ? layout->line - used : 0;
	cleanup_free size_t *given = calloc(layout->columns, sizeof(*given));

	for (size_t c = 1; given && c < layout->columns; c++)
		given[c] = smaller(table->columns[c].least, layout->widths[c]);
	for (size_t i = 0; given && i < sizeof(wanted) / sizeof(wanted[0]); i++)
		for (size_t c = 1; c < layout->columns; c++) {
			size_t whole = smaller(layout->widths[c], larger(wanted[i], given[c])), more;

			if (!given[c] || whole <= given[c])
				continue;
			more = smaller(whole - given[c], rest);
			given[c] += more;
			rest -= more;
		}
	for (size_t c = 1; given && c < layout->columns; c++)
		if (given[c])
			layout->widths[c] = smaller(layout->widths[c], given[c]);
}

/* Narrows the widest columns until the table fits. Only a forged report has numbers as wide as the page. */
static void shrink_columns(const struct page_table *table, struct layout *layout)
{
	while (width_of_others(table, layout) + label_least(table, layout) > layout->line) {
		size_t widest = 1;

		for (size_t c = 2; c < table->count; c++)
			if (layout->widths[c] > layout->widths[widest])
				widest = c;
		if (layout->widths[widest] <= 1)
			return;
		layout->widths[widest]--;
	}
}

static void cut_cells(const struct page_table *table, const struct layout *layout)
{
	for (size_t r = 0; r < table->row_count; r++)
		for (size_t c = 1; c < table->count; c++)
			if (layout->widths[c])
				cut_cell(&table->columns[c], table->rows[r].cells[c].text, layout->widths[c]);
}

/* Measures all other columns first. The first column gets the rest of the line. */
static void measure_columns(const struct page *page, const struct page_table *table, struct layout *layout)
{
	size_t others, wanted;

	layout->indent = table->is_list ? 0 : INDENT;
	layout->line = page->options->width - layout->indent;
	layout->columns = table->count;
	for (size_t c = 0; c < table->count; c++)
		if (!table->columns[c].hidden && (!table->columns[c].bar || page->options->bars))
			layout->widths[c] = column_width(table, layout, c);
	wanted = table->is_list ? layout->widths[0] : smaller(layout->widths[0], LABEL_WORTH);
	while (least_of_others(table, layout) + wanted > layout->line && leave_out(table, layout))
		;
	narrow_columns(table, layout, least_of_others(table, layout) + wanted);
	shrink_columns(table, layout);
	cut_cells(table, layout);
	others = width_of_others(table, layout);
	if (others + layout->widths[0] > layout->line)
		layout->widths[0] = others + LABEL_MIN < layout->line ? layout->line - others : LABEL_MIN;
}

/* ---- printing ---- */

static void print_spaces(struct page *page, size_t count)
{
	fprintf(page->out, "%*s", (int)count, "");
}

static void print_label(struct page *page, const struct layout *layout, const struct page_cell_text *name,
			const char *note)
{
	print_spaces(page, layout->indent);
	terminal_styled(page->options, name->style, name->text, page->out);
	if (!note)
		return;
	fputc(' ', page->out);
	terminal_styled(page->options, STYLE_FAINT, note, page->out);
}

static bool is_blank(const char *text)
{
	return text[strspn(text, " ")] == '\0';
}

static void trim(char *text)
{
	size_t length = strlen(text);

	while (length > 0 && text[length - 1] == ' ')
		text[--length] = '\0';
}

static void print_cells(struct page *page, const struct page_table *table, struct page_cell_text *cells,
			const struct layout *layout, size_t used)
{
	size_t pad = layout->widths[0] > used ? layout->widths[0] - used : 0, last = layout->columns - 1;

	while (last > 0 && (!layout->widths[last] || is_blank(cells[last].text)))
		last--; /* a line has no spaces at its end */
	for (size_t c = 1; c <= last; c++) {
		size_t width = escape_width(cells[c].text), spare;

		if (!layout->widths[c])
			continue;
		spare = layout->widths[c] > width ? layout->widths[c] - width : 0;
		if (c == last)
			trim(cells[c].text);
		print_spaces(page, pad + space_before(table, c) + (table->columns[c].is_text ? 0 : spare));
		terminal_styled(page->options, cells[c].style, cells[c].text, page->out);
		pad = table->columns[c].is_text ? spare : 0;
	}
}

static void print_row(struct page *page, const struct page_table *table, struct page_row *row,
		      const struct layout *layout)
{
	struct page_cell_text *name = &row->cells[0];

	if (label_width(row) <= layout->widths[0]) {
		print_label(page, layout, name, row->note);
		print_cells(page, table, row->cells, layout, label_width(row));
	} else if (escape_width(name->text) <= layout->widths[0]) {
		print_label(page, layout, name, NULL);
		print_cells(page, table, row->cells, layout, escape_width(name->text));
		fputc('\n', page->out);
		print_spaces(page, INDENT);
		escape_cut(row->note, layout->line - INDENT);
		print_label(page, layout, &(struct page_cell_text){ row->note, STYLE_FAINT }, NULL);
	} else {
		/* A long name gets its own line, to show it whole. */
		escape_cut(name->text, row->note ? layout->line / 2 : layout->line);
		if (row->note)
			escape_cut(row->note, layout->line / 2 - 1);
		print_label(page, layout, name, row->note);
		fputc('\n', page->out);
		print_spaces(page, layout->indent);
		print_cells(page, table, row->cells, layout, 0);
	}
	fputc('\n', page->out);
}

/* In a list, all headings have one style. In a table, the first heading is the title. */
static void print_heads(struct page *page, const struct page_table *table, const struct layout *layout)
{
	struct page_row heads = { .cells = calloc(table->count, sizeof(*heads.cells)) };
	enum terminal_style title = table->is_list ? STYLE_PLAIN : STYLE_HEAD;
	bool whole = heads.cells;

	for (size_t c = 0; whole && c < table->count; c++) {
		heads.cells[c].text = strdup(table->columns[c].head);
		heads.cells[c].style = table->is_list ? STYLE_PLAIN : STYLE_FAINT;
		whole = heads.cells[c].text;
		if (whole && c > 0 && layout->widths[c])
			escape_cut(heads.cells[c].text, layout->widths[c]);
	}
	fputs(table->is_list ? terminal_on(page->options, STYLE_HEAD) : "\n", page->out);
	if (whole) {
		terminal_styled(page->options, title, heads.cells[0].text, page->out);
		print_cells(page, table, heads.cells, layout, escape_width(heads.cells[0].text) - layout->indent);
	}
	fprintf(page->out, "%s\n", table->is_list ? terminal_off(page->options) : "");
	free_row(&heads, table->count);
}

void page_table_print(struct page *page, struct page_table *table)
{
	struct layout layout = { .widths = calloc(table->count, sizeof(*layout.widths)) };

	if (layout.widths && table->row_count > 0) {
		measure_columns(page, table, &layout);
		print_heads(page, table, &layout);
	}
	for (size_t r = 0; r < table->row_count; r++) {
		if (layout.widths)
			print_row(page, table, &table->rows[r], &layout);
		free_row(&table->rows[r], table->count);
	}
	free(layout.widths);
	free(table->rows);
	table->rows = NULL;
	table->row_count = 0;
}
