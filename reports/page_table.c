/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/page_part.h"

#define INDENT 2
#define BETWEEN 2
#define LABEL_MIN 8
#define LABEL_WORTH 24 /* columns of the first cell that are worth more than another column */

struct page_cell_text {
	char *text;
	enum terminal_style style;
};

struct page_row {
	struct page_cell_text *cells;
	char *note; /* stands behind the first cell where there is room */
};

static void free_row(struct page_row *row, size_t columns)
{
	for (size_t c = 0; row->cells && c < columns; c++)
		free(row->cells[c].text);
	free(row->cells);
	free(row->note);
}

void page_table_add(const struct page *page, struct page_table *table, const char *const texts[], const char *note)
{
	struct page_row *rows = reallocarray(table->rows, table->row_count + 1, sizeof(*rows));
	struct page_row row = { .cells = calloc(table->count, sizeof(*row.cells)) };
	bool whole = rows && row.cells;

	if (rows)
		table->rows = rows;
	for (size_t c = 0; whole && c < table->count; c++) {
		row.cells[c].style = table->columns[c].bar ? STYLE_ACCENT : STYLE_PLAIN;
		whole = (row.cells[c].text = terminal_escape(page->options, texts[c]));
	}
	if (whole && note)
		whole = (row.note = terminal_escape(page->options, note));
	if (whole)
		rows[table->row_count++] = row;
	else
		free_row(&row, table->count);
}

void page_table_style(struct page_table *table, size_t column, enum terminal_style style)
{
	if (table->row_count > 0)
		table->rows[table->row_count - 1].cells[column].style = style;
}

/* ---- measures ---- */

struct layout {
	size_t *widths; /* of the columns; 0: left out */
	size_t columns;
	size_t line; /* columns of a line behind the indent */
};

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t label_width(const struct page_row *row)
{
	return escape_width(row->cells[0].text) + (row->note ? 1 + escape_width(row->note) : 0);
}

static size_t column_width(const struct page_table *table, size_t column)
{
	size_t width = escape_width(table->columns[column].head);

	if (column == 0) /* the title is not indented */
		width = width > INDENT ? width - INDENT : 0;
	for (size_t r = 0; r < table->row_count; r++)
		width = larger(width, column ? escape_width(table->rows[r].cells[column].text) :
					       label_width(&table->rows[r]));
	return width;
}

static size_t width_of_others(const struct layout *layout)
{
	size_t width = 0;

	for (size_t c = 1; c < layout->columns; c++)
		if (layout->widths[c])
			width += BETWEEN + layout->widths[c];
	return width;
}

/* Leaves out those of the largest spare. Returns false when none can be spared. */
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

/* The fewest columns that the first one can have. */
static size_t label_least(const struct page_table *table, const struct layout *layout)
{
	size_t title = escape_width(table->columns[0].head);

	return smaller(layout->widths[0], larger(title > INDENT ? title - INDENT : 0, LABEL_MIN));
}

/* Of what only a made-up report has: numbers and names as wide as the page. Their ends are lost. */
static void shrink(const struct page_table *table, struct layout *layout)
{
	while (width_of_others(layout) + label_least(table, layout) > layout->line) {
		size_t widest = 1;

		for (size_t c = 2; c < table->count; c++)
			if (layout->widths[c] > layout->widths[widest])
				widest = c;
		if (layout->widths[widest] <= 1)
			return;
		layout->widths[widest]--;
	}
}

static void cut(const struct page_table *table, const struct layout *layout)
{
	for (size_t r = 0; r < table->row_count; r++)
		for (size_t c = 1; c < table->count; c++)
			if (layout->widths[c])
				escape_cut(table->rows[r].cells[c].text, layout->widths[c]);
}

/* The first column gets what the others leave. */
static void measure(const struct page *page, const struct page_table *table, struct layout *layout)
{
	size_t others, wanted;

	layout->line = page->options->width - INDENT;
	layout->columns = table->count;
	for (size_t c = 0; c < table->count; c++)
		if (!table->columns[c].bar || page->options->bars)
			layout->widths[c] = column_width(table, c);
	wanted = smaller(layout->widths[0], LABEL_WORTH);
	while (width_of_others(layout) + wanted > layout->line && leave_out(table, layout))
		;
	shrink(table, layout);
	cut(table, layout);
	others = width_of_others(layout);
	if (others + layout->widths[0] > layout->line)
		layout->widths[0] = others + LABEL_MIN < layout->line ? layout->line - others : LABEL_MIN;
}

/* ---- printing ---- */

static void print_spaces(struct page *page, size_t count)
{
	fprintf(page->out, "%*s", (int)count, "");
}

static void print_label(struct page *page, const struct page_cell_text *name, const char *note)
{
	print_spaces(page, INDENT);
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

/* A bar is not to leave spaces behind it at a line's end. */
static void trim(char *text)
{
	size_t length = strlen(text);

	while (length > 0 && text[length - 1] == ' ')
		text[--length] = '\0';
}

/* @used: columns of the label that stands there already */
static void print_numbers(struct page *page, struct page_cell_text *cells, const struct layout *layout, size_t used)
{
	size_t pad = layout->widths[0] > used ? layout->widths[0] - used : 0, last = layout->columns - 1;

	while (last > 0 && (!layout->widths[last] || is_blank(cells[last].text)))
		last--; /* no line ends in spaces */
	for (size_t c = 1; c <= last; c++) {
		if (!layout->widths[c])
			continue;
		pad += layout->widths[c] - escape_width(cells[c].text);
		if (c == last)
			trim(cells[c].text);
		print_spaces(page, pad + BETWEEN);
		terminal_styled(page->options, cells[c].style, cells[c].text, page->out);
		pad = 0;
	}
	fputc('\n', page->out);
}

static void print_row(struct page *page, struct page_row *row, const struct layout *layout)
{
	struct page_cell_text *name = &row->cells[0];

	if (label_width(row) <= layout->widths[0]) {
		print_label(page, name, row->note);
		print_numbers(page, row->cells, layout, label_width(row));
	} else if (escape_width(name->text) <= layout->widths[0]) {
		print_label(page, name, NULL);
		print_numbers(page, row->cells, layout, escape_width(name->text));
		print_spaces(page, INDENT);
		escape_cut(row->note, layout->line - INDENT);
		print_label(page, &(struct page_cell_text){ row->note, STYLE_FAINT }, NULL);
		fputc('\n', page->out);
	} else {
		/* A long name has a line of its own, rather than lose its end. */
		escape_cut(name->text, row->note ? layout->line / 2 : layout->line);
		if (row->note)
			escape_cut(row->note, layout->line / 2 - 1);
		print_label(page, name, row->note);
		fputc('\n', page->out);
		print_spaces(page, INDENT);
		print_numbers(page, row->cells, layout, 0);
	}
}

static void print_heads(struct page *page, const struct page_table *table, const struct layout *layout)
{
	struct page_row heads = { .cells = calloc(table->count, sizeof(*heads.cells)) };
	bool whole = heads.cells;

	for (size_t c = 0; whole && c < table->count; c++) {
		heads.cells[c] = (struct page_cell_text){ strdup(table->columns[c].head), STYLE_FAINT };
		whole = heads.cells[c].text;
		if (whole && c > 0 && layout->widths[c])
			escape_cut(heads.cells[c].text, layout->widths[c]);
	}
	fputc('\n', page->out);
	if (whole) {
		terminal_styled(page->options, STYLE_HEAD, heads.cells[0].text, page->out);
		print_numbers(page, heads.cells, layout, escape_width(heads.cells[0].text) - INDENT);
	}
	free_row(&heads, table->count);
}

void page_table_print(struct page *page, struct page_table *table)
{
	struct layout layout = { .widths = calloc(table->count, sizeof(*layout.widths)) };

	if (layout.widths && table->row_count > 0) {
		measure(page, table, &layout);
		print_heads(page, table, &layout);
	}
	for (size_t r = 0; r < table->row_count; r++) {
		if (layout.widths)
			print_row(page, &table->rows[r], &layout);
		free_row(&table->rows[r], table->count);
	}
	free(layout.widths);
	free(table->rows);
	table->rows = NULL;
	table->row_count = 0;
}
