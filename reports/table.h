/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many jobs, a line each. */
#ifndef STINT_TABLE_H
#define STINT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/row.h"
#include "reports/terminal.h"

/*
 * Reads "FIELD" or "-FIELD" (largest first), as --sort has it. Returns false when there is no such field.
 *
 * @sort: filled, for table_sort()
 */
struct table_sort {
	int (*compare)(const struct row *one, const struct row *other);
	double (*number)(const struct row *row);
	bool descending;
};

bool table_read_sort(const char *text, struct table_sort *sort);

/*
 * The names of all fields, for people: "id, state, ...".
 */
extern const char table_sort_fields[];

/*
 * Sorts @rows. What is not known comes last either way, and what is equal stays in its order.
 */
void table_sort(struct row *rows, size_t count, const struct table_sort *sort);

/*
 * Prints @rows for people.
 */
void table_print(const struct row *rows, size_t count, const struct page_options *options, FILE *out);

/*
 * Prints @rows as a JSON array of one object each, or as CSV by RFC 4180 with a head line. A text of the CSV that a
 * spreadsheet would take for a formula has a ' before it.
 */
void table_print_json(const struct row *rows, size_t count, FILE *out);
void table_print_csv(const struct row *rows, size_t count, FILE *out);

/*
 * Of other tables: prints @object as one element of a JSON array that has @before others, or as one line of CSV, its
 * members' names or their values.
 */
void table_print_object(struct json_object *object, size_t before, FILE *out);
void table_print_csv_line(struct json_object *object, bool names, FILE *out);

#endif
