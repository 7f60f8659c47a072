/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of any number of rows on a page for browsers, which readers can sort and search. The page contains the first
 * rows as HTML. If there are more, it also contains all rows as compressed data, and its script shows a limited number
 * at a time: browsers are too slow to lay out a table of 10,000 rows.
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
	const char *text; /* unescaped; NULL: not known */
	bool sorted;      /* sorted by value; else by the text */
	double value;
	bool bar;         /* filled to @share */
	double share;
	enum terminal_style style;
	const char *title; /* shown on hover, unescaped; NULL: none */
	const char *href; /* the name of a file beside the page; NULL: none */
};

struct html_list;

/*
 * Begins a list. @id: unique in the page. @title: for screen readers.
 *
 * Returns the list, for html_list_end(); NULL if memory is short.
 */
struct html_list *html_list_begin(FILE *out, const char *id, const char *title,
				  const struct html_list_column *columns, size_t count);

/*
 * Adds a row. @cells: one for each column.
 */
void html_list_row(struct html_list *list, const struct html_cell *cells);

/*
 * Ends the list and frees it.
 */
void html_list_end(struct html_list *list);

#endif
