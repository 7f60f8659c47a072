/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of a page, and their cells. */
#ifndef STINT_PAGE_TABLE_H
#define STINT_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/terminal/page_lines.h"

#define PAGE_NO_VALUE "-" /* in a table */

/* ---- cells ---- */

/*
 * One cell of a table: a value of a report, or "-" when it is not known (REPORT_UNKNOWN, NAN). Each fills @cell and
 * returns its text. short_size_text() writes sizes, short_duration_text() times.
 */
struct page_cell {
	char text[TERMINAL_BAR];
};

const char *page_text_cell(const char *text); /* fills no cell */
const char *page_count_cell(int64_t count, struct page_cell *cell);
const char *page_size_cell(int64_t bytes, struct page_cell *cell);
const char *page_time_cell(struct report_seconds time, struct page_cell *cell);
const char *page_share_cell(double part, double whole, struct page_cell *cell);

/* A bar of the share, for a column that has bars; an empty one when it is not known. */
const char *page_bar_cell(const struct page *page, double part, double whole, struct page_cell *cell);

/* ---- tables ---- */

/*
 * A table under a title, or a list, which has no title and begins at the page's left. Columns are as wide as their
 * widest cell, the first one and texts aligned left, numbers right. Where the page is too narrow, columns are left out.
 * If the first cell is still too wide, its note goes to a line below; where that does not suffice, the first cell
 * gets a line of its own.
 */
struct page_row;

struct page_column {
	const char *head;
	int spare; /* left out where there is no room, the largest first; 0: never */
	bool bar;  /* left out where no bars are printed */
	bool hidden; /* always left out */
	bool is_text; /* aligned left */
	size_t most; /* columns of the widest cell; 0: any */
	size_t least; /* columns to which it may be narrowed before others are left out; 0: it is not narrowed */
	void (*fit)(char *text, size_t columns); /* cuts an escaped cell to so many columns; NULL: escape_cut() */
};

struct page_table {
	const struct page_column *columns; /* the first column's head is the title */
	size_t count;
	bool is_list;
	struct page_row *rows;
	size_t row_count;
};

#define PAGE_TABLE(list) { .columns = (list), .count = sizeof(list) / sizeof((list)[0]) }

/*
 * Adds a row of @table->count texts, which are escaped here.
 *
 * @note: printed behind the first text; may be NULL
 */
void page_table_add(const struct page *page, struct page_table *table, const char *const texts[], const char *note);

/*
 * Gives cell @column of the last row a style.
 */
void page_table_style(struct page_table *table, size_t column, enum terminal_style style);

/*
 * Prints the table, unless it has no row, and frees its rows.
 */
void page_table_print(struct page *page, struct page_table *table);

#endif
