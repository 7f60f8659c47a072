/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a table of many jobs, one in each line. */
#ifndef STINT_SUMMARY_TABLE_H
#define STINT_SUMMARY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <json-c/json.h>

#include "reports/read/summary.h"
#include "reports/terminal/terminal.h"

/*
 * A field to sort by. "-FIELD" puts the largest value first.
 * summary_table_read_sort() reads the field from the argument of --sort.
 * It returns false if there is no field with this name.
 */
struct summary_table_sort {
	int (*compare)(const struct summary *one, const struct summary *other);
	double (*number)(const struct summary *row);
	bool descending;
};

bool summary_table_read_sort(const char *text, struct summary_table_sort *sort);

/* All fields, for people: "id, state, ...". */
extern const char table_sort_fields[];

/* Sorts @rows. Unknown values come last. Equal values keep their order. */
void summary_table_sort(struct summary *rows, size_t count, const struct summary_table_sort *sort);

/* Prints @rows for people. */
void summary_table_print(const struct summary *rows, size_t count, const struct page_options *options, FILE *out);

/*
 * Prints jobs that Slurm knows (reports/read/slurm_rows.h).
 * Also shows the start, the name, what a pending job waits for, and which jobs have no report.
 */
void summary_table_print_list(const struct summary *rows, size_t count, const struct page_options *options, FILE *out);

/*
 * Prints @rows for programs: a JSON array of objects, or CSV by RFC 4180 with a header line.
 * In CSV, a ' stands before a text that a spreadsheet would read as a formula.
 */
void summary_table_print_json(const struct summary *rows, size_t count, FILE *out);
void summary_table_print_csv(const struct summary *rows, size_t count, FILE *out);

/*
 * Print one row of another table for programs.
 * @before: how many elements the JSON array already has.
 * @names: print the members' names instead of their values.
 */
void summary_table_print_object(struct json_object *object, size_t before, FILE *out);
void summary_table_print_csv_line(struct json_object *object, bool names, FILE *out);

/* Prints a cell of CSV. */
void summary_table_print_csv_text(const char *text, FILE *out);

#endif
