/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/page_part.h"

#define INDENT 2
#define BETWEEN 2
#define FIRST_MIN 8
#define LINE_MAX (PAGE_COLUMNS - INDENT)

struct page_row {
	char **cells;
	char *note; /* stands behind the first cell where there is room */
};

static char *copy_escaped(const char *text)
{
	size_t size = 4 * strlen(text) + 1;
	char *copy = malloc(size);

	return copy ? escape_text(text, copy, size) : NULL;
}

static void free_row(struct page_row *row, size_t columns)
{
	for (size_t c = 0; row->cells && c < columns; c++)
		free(row->cells[c]);
	free(row->cells);
	free(row->note);
}

void page_table_add(struct page_table *table, const char *const texts[], const char *note)
{
	struct page_row *rows = reallocarray(table->rows, table->count + 1, sizeof(*rows));
	struct page_row row = { .cells = calloc(table->columns, sizeof(char *)) };
	bool whole = rows && row.cells;

	if (rows)
		table->rows = rows;
	for (size_t c = 0; whole && c < table->columns; c++)
		whole = (row.cells[c] = copy_escaped(texts[c]));
	if (whole && note)
		whole = (row.note = copy_escaped(note));
	if (whole)
		rows[table->count++] = row;
	else
		free_row(&row, table->columns);
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t label_width(const struct page_row *row)
{
	return escape_width(row->cells[0]) + (row->note ? 1 + escape_width(row->note) : 0);
}

/* The widths of all columns; the first gets what the others leave. */
static void measure(const struct page_table *table, size_t *widths)
{
	size_t others = 0;

	for (size_t c = 0; c < table->columns; c++) {
		widths[c] = escape_width(table->heads[c]);
		for (size_t r = 0; r < table->count; r++)
			widths[c] = larger(widths[c], c ? escape_width(table->rows[r].cells[c]) :
							  label_width(&table->rows[r]));
		if (c > 0)
			others += BETWEEN + widths[c];
	}
	if (others + widths[0] > LINE_MAX)
		widths[0] = others + FIRST_MIN < LINE_MAX ? LINE_MAX - others : FIRST_MIN;
}

static void print_label(FILE *out, const char *name, const char *note, size_t width)
{
	size_t used = escape_width(name) + (note ? 1 + escape_width(note) : 0);

	fprintf(out, "%*s%s%s%s%*s", INDENT, "", name, note ? " " : "", note ? note : "",
		(int)(width > used ? width - used : 0), "");
}

static void print_numbers(FILE *out, const char *const *cells, const size_t *widths, size_t columns)
{
	while (columns > 1 && !*cells[columns - 1])
		columns--; /* no line ends in spaces */
	for (size_t c = 1; c < columns; c++)
		fprintf(out, "%*s%s", (int)(BETWEEN + widths[c] - escape_width(cells[c])), "", cells[c]);
	fputc('\n', out);
}

static void print_row(FILE *out, struct page_row *row, const size_t *widths, size_t columns)
{
	const char *const *cells = (const char *const *)row->cells;

	if (label_width(row) <= widths[0]) {
		print_label(out, row->cells[0], row->note, widths[0]);
		print_numbers(out, cells, widths, columns);
	} else if (escape_width(row->cells[0]) <= widths[0]) {
		print_label(out, row->cells[0], NULL, widths[0]);
		print_numbers(out, cells, widths, columns);
		fprintf(out, "%*s%s\n", 2 * INDENT, "", row->note);
	} else {
		/* A long name has a line of its own, rather than lose its end. */
		escape_cut(row->cells[0], row->note ? LINE_MAX / 2 : LINE_MAX);
		if (row->note)
			escape_cut(row->note, LINE_MAX / 2 - 1);
		print_label(out, row->cells[0], row->note, 0);
		fputc('\n', out);
		print_label(out, "", NULL, widths[0]);
		print_numbers(out, cells, widths, columns);
	}
}

void page_table_print(struct page_table *table, FILE *out)
{
	cleanup_free size_t *widths = calloc(table->columns, sizeof(*widths));

	if (widths) {
		measure(table, widths);
		print_label(out, table->heads[0], NULL, widths[0]);
		print_numbers(out, table->heads, widths, table->columns);
	}
	for (size_t r = 0; r < table->count; r++) {
		if (widths)
			print_row(out, &table->rows[r], widths, table->columns);
		free_row(&table->rows[r], table->columns);
	}
	free(table->rows);
	memset(table, 0, sizeof(*table));
}
