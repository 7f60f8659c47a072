/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a table of many jobs, with one line for each job. */
#ifndef STINT_SUMMARY_TABLE_H
#define STINT_SUMMARY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <json-c/json.h>

#include "reports/read/summary.h"
#include "reports/terminal/terminal.h"

/*
 * A field to sort by. summary_table_read_sort() fills @sort for summary_table_sort(). @text is the argument of --sort:
 * "FIELD", or "-FIELD" for largest first. The function returns false if no field has that name.
 */
struct summary_table_sort {
	int (*compare)(const struct summary *one, const struct summary *other);
	double (*number)(const struct summary *row);
	bool descending;
};

bool summary_table_read_sort(const char *text, struct summary_table_sort *sort);

/* The names of all fields, for people: "id, state, ...". */
extern const char table_sort_fields[];

/*
 * Sorts @rows. Unknown values come last in both directions. Equal values keep their order.
 */
void summary_table_sort(struct summary *rows, size_t count, const struct summary_table_sort *sort);

/*
 * Prints @rows for people.
 */
void summary_table_print(const struct summary *rows, size_t count, const struct page_options *options, FILE *out);

/*
 * Like summary_table_print(), for jobs that Slurm knows (reports/read/slurm_rows.h). Also shows when each job began,
 * its name, what a pending job waits for, and whether a job has no report.
 */
void summary_table_print_list(const struct summary *rows, size_t count, const struct page_options *options, FILE *out);

/*
 * Prints @rows for programs: as a JSON array with one object for each row, or as CSV by RFC 4180 with a header line.
 * In CSV, a ' precedes any text that a spreadsheet would read as a formula.
 */
void summary_table_print_json(const struct summary *rows, size_t count, FILE *out);
void summary_table_print_csv(const struct summary *rows, size_t count, FILE *out);

/*
 * Print one row of a table for programs, for callers that have other tables. summary_table_print_object() prints
 * @object as one element of a JSON array that already has @before elements. summary_table_print_csv_line() prints the
 * members of @object as one line: their names if @names is true, otherwise their values.
 */
void summary_table_print_object(struct json_object *object, size_t before, FILE *out);
void summary_table_print_csv_line(struct json_object *object, bool names, FILE *out);

#endif
