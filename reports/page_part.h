/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page's parts, each in a file of its own, and what they share. */
#ifndef STINT_PAGE_PART_H
#define STINT_PAGE_PART_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <json-c/json.h>

#include "reports/terminal.h"

#define PAGE_UNKNOWN "not known"

struct page {
	struct json_object *report;
	const struct page_options *options;
	FILE *out;
	char *not_known;    /* names of what the report does not tell, for the last line; NULL: none, or told already */
	char left_out[256]; /* what one screen has no room for, in words */
};

/* The lines that seff prints too. */
void page_seff(struct page *page);

/* What seff cannot say, line by line: the verdict first. */
void page_more(struct page *page);

/* Where the threads' time went, and on which file systems they waited. */
void page_states(struct page *page);
void page_file_systems(struct page *page);

/* What should be looked at, the lines to paste, and what went wrong on the way. */
void page_findings(struct page *page);
void page_advice(struct page *page);
void page_oom(struct page *page);
void page_stalls(struct page *page);

/* The tables of tools, steps and nodes. */
void page_tools(struct page *page);
void page_steps(struct page *page);
void page_nodes(struct page *page);

/* Below the nodes: which did most and which least, and which nothing. */
void page_balance(struct page *page);

/* What is not known; @incomplete: the first lines of the page, else the last. */
void page_incomplete(struct page *page);
void page_gaps(struct page *page);

/* ---- text ---- */

/*
 * Prints the page's next heading, with an empty line before.
 */
void page_head(struct page *page, const char *text);

/*
 * Prints "LABEL: text", the text escaped, and cut where it is wider than the page.
 */
void page_line(struct page *page, const char *label, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Prints @text, escaped, broken between words at the page's width. A word that
 * is wider than a line is cut.
 */
struct page_wrap {
	const char *first; /* stands before its first line; fit for a terminal already */
	const char *next;  /* before the others; NULL: as many spaces */
	enum terminal_style style; /* of @first */
	enum terminal_style head;  /* of the text's first words, up to a ':' */
};

void page_wrapped(struct page *page, const struct page_wrap *wrap, const char *text);

/*
 * Prints "LABEL: " and the text, wrapped; the next lines start below the text.
 */
void page_paragraph(struct page *page, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Returns how many of a list are shown where one screen has room for @screen.
 */
size_t page_limit(const struct page *page, size_t screen);

/*
 * Remembers that @count of what @one and @many call one and several are not shown, for the page's last line.
 */
void page_leave_out(struct page *page, size_t count, const char *one, const char *many);

/* ---- cells ---- */

/*
 * One cell of a table: the field @name of @from, or "-" when it is not known.
 * Each fills @cell and returns its text. Sizes are short_size_text()'s, times
 * short_duration_text()'s.
 */
struct page_cell {
	char text[TERMINAL_BAR];
};

const char *page_count_cell(struct json_object *from, const char *name, struct page_cell *cell);
const char *page_size_cell(struct json_object *from, const char *name, struct page_cell *cell);
const char *page_time_cell(struct json_object *from, const char *name, struct page_cell *cell);
const char *page_share_cell(struct json_object *from, const char *name, double whole, struct page_cell *cell);

/* A picture of the share, for a column that is a bar. */
const char *page_bar_cell(const struct page *page, struct json_object *from, const char *name, double whole,
			  struct page_cell *cell);

/* ---- tables ---- */

/*
 * A table under a title: columns as wide as their widest cell, the first flush
 * left, the others flush right. Where the page is too narrow, it leaves columns
 * out; where it still is for a first cell, that one's note goes to a line
 * below, and what is longer still to a line of its own.
 */
struct page_row;

struct page_column {
	const char *head;
	int spare; /* left out where there is no room: those of the largest first; 0: never */
	bool bar;  /* left out where there are no pictures */
};

struct page_table {
	const struct page_column *columns; /* the first one's head is the title */
	size_t count;
	struct page_row *rows;
	size_t row_count;
};

#define PAGE_TABLE(list) { .columns = (list), .count = sizeof(list) / sizeof((list)[0]) }

/*
 * Adds a row of @table->count texts, escaped here.
 *
 * @note: said behind the first text; may be NULL
 */
void page_table_add(const struct page *page, struct page_table *table, const char *const texts[], const char *note);

/*
 * Gives cell @column of the last row a style.
 */
void page_table_style(struct page_table *table, size_t column, enum terminal_style style);

/*
 * Prints the table, unless it has no row, and gives back what it holds.
 */
void page_table_print(struct page *page, struct page_table *table);

#endif
