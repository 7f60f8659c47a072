/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects rows or keys by month, so that all rows of a month are written at once. */
#ifndef STINT_TABLE_ROWS_H
#define STINT_TABLE_ROWS_H

#include "reports/database/database.h"

/* Starts as all zero. */
struct table_rows {
	struct table_rows_month {
		int month;
		size_t width, count;
		struct database_value *values;
	} *list;
	size_t count;
};

/*
 * Adds a row of @width values, which the caller must fill before the next call. All rows have the same width. Returns
 * NULL if out of memory.
 */
struct database_value *table_rows_add(struct table_rows *rows, int month, size_t width);

int table_rows_insert(const struct table_rows *rows, struct database *db, const struct database_table *table,
		      struct error *err);
/*
 * Inserts and forgets the rows of each month that has hundreds of rows, so that a large transaction needs little
 * memory.
 */
int table_rows_insert_full(struct table_rows *rows, struct database *db, const struct database_table *table, struct error *err);

/* Forgets all rows, and keeps their memory for others. */
void table_rows_forget(struct table_rows *rows);

int table_rows_erase(const struct table_rows *keys, struct database *db, const struct database_table *table,
		     struct error *err);
int table_rows_find(const struct table_rows *keys, struct database *db, const struct database_table *table,
		    database_each *each, void *context, struct error *err);

void table_rows_free(struct table_rows *rows);

#endif
