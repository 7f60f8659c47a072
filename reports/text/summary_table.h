/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of many jobs, with a line for each. */
#ifndef STINT_SUMMARY_TABLE_H
#define STINT_SUMMARY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/read/summary.h"
#include "reports/terminal/terminal.h"

/*
 * Reads "FIELD" or "-FIELD" (largest first), as in --sort. Returns false when there is no such field.
 *
 * @sort: filled, for summary_table_sort()
 */
struct summary_table_sort {
	int (*compare)(const struct summary *one, const struct summary *other);
	double (*number)(const struct summary *row);
	bool descending;
};

bool summary_table_read_sort(const char *text, struct summary_table_sort *sort);

/*
 * The names of all fields, for people: "id, state, ...".
 */
extern const char table_sort_fields[];

/*
 * Sorts @rows. Unknown values come last either way, and equal ones keep their order.
 */
void summary_table_sort(struct summary *rows, size_t count, const struct summary_table_sort *sort);

/*
 * Prints @rows for people.
 */
void summary_table_print(const struct summary *rows, size_t count, const struct page_options *options, FILE *out);

/*
 * As summary_table_print(), of jobs that Slurm knows (reports/read/slurm_rows.h): also when each began, and its name;
 * what one waits for; and that one has no report.
 */
void summary_table_print_list(const struct summary *rows, size_t count, const struct page_options *options, FILE *out);

/*
 * Prints @rows as a JSON array of one object each, or as CSV by RFC 4180 with a head line. A text of the CSV that a
 * spreadsheet would take for a formula has a ' before it.
 */
void summary_table_print_json(const struct summary *rows, size_t count, FILE *out);
void summary_table_print_csv(const struct summary *rows, size_t count, FILE *out);

/*
 * For other tables: print @object as one element of a JSON array that has @before elements before it, or as one line of
 * CSV, of its members' @names or of their values.
 */
void summary_table_print_object(struct json_object *object, size_t before, FILE *out);
void summary_table_print_csv_line(struct json_object *object, bool names, FILE *out);

#endif
