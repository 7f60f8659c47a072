/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the tables of a page, and their cells. */
#ifndef STINT_PAGE_TABLE_H
#define STINT_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/terminal/page_lines.h"

#define PAGE_NO_VALUE "-" /* for tables; lines have PAGE_UNKNOWN */

/* ---- cells ---- */

/*
 * One cell of a table; "-" if the value is not known (REPORT_UNKNOWN, NAN).
 * Each function fills @cell and returns its text.
 */
struct page_cell {
	char text[TERMINAL_BAR];
};

const char *page_text_cell(const char *text); /* returns @text itself, or "-" for NULL */
const char *page_count_cell(int64_t count, struct page_cell *cell);
const char *page_size_cell(int64_t bytes, struct page_cell *cell);
const char *page_time_cell(struct report_seconds time, struct page_cell *cell);
const char *page_share_cell(double part, double whole, struct page_cell *cell);

/* Fills @cell with a bar of the share @part / @whole. The bar is empty if the share is not known. */
const char *page_bar_cell(const struct page *page, double part, double whole, struct page_cell *cell);

/* ---- tables ---- */

/*
 * A table with a title, or a list without a title.
 * The first column and texts are aligned left, numbers right.
 *
 * If the page is too narrow, the table gets narrower in three steps:
 * columns are left out, the note of the first cell moves to the next line,
 * and then the first cell gets its own line.
 */
struct page_row;

struct page_column {
	const char *head;
	int spare; /* the column with the largest value is left out first; with 0, it is never left out */
	bool bar;  /* left out if the page has no bars */
	bool hidden;
	bool is_text; /* aligned left */
	size_t most; /* maximum width, in columns; 0 for any width */
	size_t least; /* smallest width of a column that may be narrowed; 0: it may not be narrowed */
	void (*fit)(char *text, size_t columns); /* cuts an escaped cell to @columns; NULL: escape_cut() */
};

struct page_table {
	const struct page_column *columns; /* the heading of the first column is the title */
	size_t count;
	bool is_list;
	struct page_row *rows;
	size_t row_count;
};

#define PAGE_TABLE(list) { .columns = (list), .count = sizeof(list) / sizeof((list)[0]) }

/*
 * Adds a row of @table->count texts. Escapes the texts.
 *
 * @note: printed after the first text; may be NULL
 */
void page_table_add(const struct page *page, struct page_table *table, const char *const texts[], const char *note);

/* Sets the style of cell @column of the last row. */
void page_table_style(struct page_table *table, size_t column, enum terminal_style style);

/* Prints the table, if it has rows. Frees the rows. */
void page_table_print(struct page *page, struct page_table *table);

#endif
