/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page's parts, each in a file of its own, and what they share. */
#ifndef STINT_PAGE_PART_H
#define STINT_PAGE_PART_H

#include <stddef.h>
#include <stdio.h>

#include <json-c/json.h>

#define PAGE_COLUMNS 80

/* The lines that seff prints too. */
void page_seff(struct json_object *report, FILE *out);

/* What seff cannot say, line by line: the verdict first. */
void page_more(struct json_object *report, FILE *out);

/* Where the threads' time went, and on which file systems they waited. */
void page_states(struct json_object *report, FILE *out);
void page_file_systems(struct json_object *report, FILE *out);

/* What should be looked at, the lines to paste, and what went wrong on the way. */
void page_findings(struct json_object *report, FILE *out);
void page_advice(struct json_object *report, FILE *out);
void page_oom(struct json_object *report, FILE *out);
void page_stalls(struct json_object *report, FILE *out);

/* The tables of tools, steps and nodes. */
void page_tools(struct json_object *report, FILE *out);
void page_steps(struct json_object *report, FILE *out);
void page_nodes(struct json_object *report, FILE *out);

/* What is not known; @incomplete: the first lines of the page, else the last. */
void page_incomplete(struct json_object *report, FILE *out);
void page_gaps(struct json_object *report, FILE *out);

/*
 * Prints @text, escaped, broken between words at the page's width; @first
 * stands before its first line, and as many spaces before the others.
 */
void page_wrapped(FILE *out, const char *first, const char *text);

/*
 * One cell of a table: the field @name of @from, or "-" when it is not known.
 * Each fills @cell and returns its text. Sizes are short_size_text()'s, times
 * short_duration_text()'s.
 */
struct page_cell {
	char text[64];
};

const char *page_count_cell(struct json_object *from, const char *name, struct page_cell *cell);
const char *page_size_cell(struct json_object *from, const char *name, struct page_cell *cell);
const char *page_time_cell(struct json_object *from, const char *name, struct page_cell *cell);
const char *page_share_cell(struct json_object *from, const char *name, double whole, struct page_cell *cell);

/*
 * Says that there are @more of what a table shows, unless there are none.
 */
void page_print_more(FILE *out, size_t more, const char *word);

/*
 * A table: columns as wide as their widest cell, the first flush left, the
 * others flush right. Where the page is too narrow for a first cell, its note
 * goes to a line below, and what is longer still to a line of its own.
 */
struct page_row;

struct page_table {
	size_t columns;
	const char *const *heads;
	struct page_row *rows;
	size_t count;
};

/*
 * Adds a row of @table->columns texts, escaped here.
 *
 * @note: said behind the first text; may be NULL
 */
void page_table_add(struct page_table *table, const char *const texts[], const char *note);

/*
 * Prints the table and gives back what it holds.
 */
void page_table_print(struct page_table *table, FILE *out);

#endif
