/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page's parts, each in a file of its own, and what they share. */
#ifndef STINT_PAGE_PARTS_H
#define STINT_PAGE_PARTS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <json-c/json.h>

#include "reports/text/terminal.h"

#define PAGE_UNKNOWN "not known" /* in a line */
#define PAGE_NO_VALUE "-" /* in a table */
#define PAGE_NAME_COLUMNS 24 /* of the job's name in the first line */

struct page {
	struct json_object *report;
	const struct page_options *options;
	FILE *out;
	char *not_known;    /* names of the gaps, for the last line; NULL: none, or shown already */
	char left_out[256]; /* what one screen has no room for, in words */
};

/* The first line: how the job ended. */
void page_outcome(struct page *page);

/* What was used of what was allocated, and what bound the job. */
void page_bars(struct page *page);
void page_why(struct page *page);

/* The lines that seff prints too. */
void page_seff(struct page *page);

/* What seff does not have, line by line. */
void page_more(struct page *page);

/* Where the threads' time went, and on which file systems they waited. */
void page_states(struct page *page);
void page_file_systems(struct page *page);

/* Lines to paste for the next time, and below, why these. */
void page_advice(struct page *page);
void page_reasons(struct page *page);

/* Findings, and what went wrong on the way. */
void page_findings(struct page *page);
void page_oom(struct page *page);
void page_stalls(struct page *page);

/* The tables of tools, steps and nodes. */
void page_tools(struct page *page);
void page_steps(struct page *page);
void page_nodes(struct page *page);

/* Below the nodes: which of them did most, least, and nothing. */
void page_balance(struct page *page);

/* What is not known. page_incomplete() prints it at the top, page_gaps() at the end. */
void page_incomplete(struct page *page);
void page_gaps(struct page *page);

/* ---- text ---- */

/*
 * Returns @text; where it is NULL, that it is not known.
 */
static inline const char *page_or_unknown(const char *text)
{
	return text ? text : PAGE_UNKNOWN;
}

/*
 * Prints the page's next heading, with an empty line before.
 */
void page_head(struct page *page, const char *text);

/*
 * Prints "LABEL: text", the text escaped, and cut where it is wider than the page.
 */
void page_line(struct page *page, const char *label, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * As page_line(), without a label.
 */
void page_text(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Prints @text, escaped, broken between words at the page's width. A word that
 * is wider than a line is cut.
 */
struct page_wrap {
	const char *first; /* before its first line; escaped already */
	const char *next;  /* before the other lines; NULL: as many spaces */
	enum terminal_style style; /* of first and next */
	enum terminal_style head;  /* of the text's first words */
	size_t head_words; /* how many these are; 0: up to a ':' */
};

void page_wrapped(struct page *page, const struct page_wrap *wrap, const char *text);

/*
 * Prints "LABEL: " and the text, wrapped; the next lines begin below the text.
 */
void page_paragraph(struct page *page, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Returns how many items of a list are shown, where one screen has room for @screen of them.
 */
size_t page_limit(const struct page *page, size_t screen);

/*
 * Adds to the page's last line that @count things are not shown; @one and @many: their name in singular and plural.
 */
void page_leave_out(struct page *page, size_t count, const char *one, const char *many);

/* ---- cells ---- */

/*
 * One cell of a table: the field @name of @from, or "-" when it is not known. Each fills @cell and returns its text.
 * short_size_text() writes sizes, short_duration_text() times.
 */
struct page_cell {
	char text[TERMINAL_BAR];
};

const char *page_text_cell(const char *text); /* fills no cell */
const char *page_count_cell(struct json_object *from, const char *name, struct page_cell *cell);
const char *page_size_cell(struct json_object *from, const char *name, struct page_cell *cell);
const char *page_time_cell(struct json_object *from, const char *name, struct page_cell *cell);
const char *page_share_cell(struct json_object *from, const char *name, double whole, struct page_cell *cell);

/* A bar of the share, for a column that has bars. */
const char *page_bar_cell(const struct page *page, struct json_object *from, const char *name, double whole,
			  struct page_cell *cell);

/* ---- tables ---- */

/*
 * A table under a title, or a list, which has no title and begins at the page's left. Columns are as wide as their
 * widest cell, the first one and texts aligned left, numbers right. Where the page is too narrow, columns are left out.
 * Where the first cell is still too wide, its note goes to a line below; where that does not suffice, the first cell
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
