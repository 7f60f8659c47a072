/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the tables of a page, and the cells of these tables. */
#ifndef STINT_PAGE_TABLE_H
#define STINT_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/terminal/page_lines.h"

#define PAGE_NO_VALUE "-" /* in a table */

/* ---- cells ---- */

/*
 * One cell of a table: a value of a report, or "-" if the value is not known (REPORT_UNKNOWN, NAN). Each function
 * fills @cell and returns its text. short_size_text() writes sizes, and short_duration_text() writes times.
 */
struct page_cell {
	char text[TERMINAL_BAR];
};

const char *page_text_cell(const char *text); /* needs no cell to write to */
const char *page_count_cell(int64_t count, struct page_cell *cell);
const char *page_size_cell(int64_t bytes, struct page_cell *cell);
const char *page_time_cell(struct report_seconds time, struct page_cell *cell);
const char *page_share_cell(double part, double whole, struct page_cell *cell);

/*
 * Fills @cell with a bar that shows the share @part / @whole, for a column that has bars. The bar is empty if the
 * share is not known.
 */
const char *page_bar_cell(const struct page *page, double part, double whole, struct page_cell *cell);

/* ---- tables ---- */

/*
 * A table with a title, or a list. A list has no title and begins at the page's left edge. Columns are as wide as
 * their widest cell. The first column and texts are aligned left, numbers right.
 *
 * If the page is too narrow, columns are left out. If the first cell is still too wide, its note moves to the next
 * line. If that is not enough, the first cell gets its own line.
 */
struct page_row;

struct page_column {
	const char *head;
	int spare; /* if there is no room, columns with the largest value are left out first; 0 if never left out */
	bool bar;  /* the column is left out if bars are not printed */
	bool hidden; /* always left out */
	bool is_text; /* aligned left */
	size_t most; /* maximum width of a cell, in columns; 0 for any width */
	size_t least; /* width to which the column may be narrowed before others are left out; 0 if it is never narrowed */
	void (*fit)(char *text, size_t columns); /* cuts an escaped cell to a width; if NULL, escape_cut() does */
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

/*
 * Sets the style of cell @column of the last row.
 */
void page_table_style(struct page_table *table, size_t column, enum terminal_style style);

/* Prints the table, unless it has no rows. Frees its rows. */
void page_table_print(struct page *page, struct page_table *table);

#endif
