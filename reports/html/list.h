/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a table with any number of rows, which readers can sort and search, on a page for browsers. The page
 * contains the first rows as HTML. If there are more rows, the page also contains all rows as compressed data, and
 * its script shows a limited number at a time. Browsers are too slow to lay out a table of 10,000 rows.
 */
#ifndef STINT_LIST_H
#define STINT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/terminal/terminal.h"

struct html_list_column {
	const char *head;
	bool number; /* right-aligned; the first click sorts it with the largest first */
};

struct html_cell {
	const char *text; /* unescaped; NULL if not known */
	bool sorted;      /* if set, the cell is sorted by value; else by the text */
	double value;
	bool bar;         /* filled to @share */
	double share;
	enum terminal_style style;
	const char *title; /* shown on hover, unescaped; NULL if none */
	const char *href; /* the name of a file in the page's directory; NULL if none */
};

struct html_list;

/*
 * Begins a list.
 *
 * @id: unique in the page
 * @title: a description for screen readers
 *
 * Returns the list, for html_list_end(); NULL if out of memory.
 */
struct html_list *html_list_begin(FILE *out, const char *id, const char *title,
				  const struct html_list_column *columns, size_t count);

/* Adds a row. @cells: one cell for each column */
void html_list_row(struct html_list *list, const struct html_cell *cells);

/*
 * Ends the list and frees it.
 */
void html_list_end(struct html_list *list);

#endif
