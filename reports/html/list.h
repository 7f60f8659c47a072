/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a table for browsers that readers can sort and search.
 * The page has the first rows as HTML.
 * All rows of a long table follow as compressed data: browsers lay out 10,000 rows too slowly.
 */
#ifndef STINT_LIST_H
#define STINT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/terminal/terminal.h"

struct html_list_column {
	const char *head;
	bool number; /* right-aligned; the first click sorts the largest first */
};

struct html_cell {
	const char *text; /* unescaped; NULL if unknown */
	bool sorted;      /* sort the cell by value, not by text */
	double value;
	bool bar;         /* draw a bar, filled to share */
	double share;
	enum terminal_style style;
	const char *title; /* shown on hover, unescaped; may be NULL */
	const char *href; /* file in the page's directory; may be NULL */
};

struct html_list;

/*
 * Begins a list.
 *
 * @id: unique in the page
 * @title: for screen readers
 *
 * Returns the list, for html_list_end(); NULL if out of memory.
 */
struct html_list *html_list_begin(FILE *out, const char *id, const char *title,
				  const struct html_list_column *columns, size_t count);

/* Adds a row. @cells: one cell for each column */
void html_list_row(struct html_list *list, const struct html_cell *cells);

/* Prints the end of the list and frees it. */
void html_list_end(struct html_list *list);

#endif
