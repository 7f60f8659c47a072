/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/table_rows.h"

#include <stdlib.h>

#include "common/memory/array.h"

#define FULL 512

static struct table_rows_month *month_of(struct table_rows *rows, int month, size_t width)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].month == month)
			return &rows->list[i];
	if (!array_room(&rows->list, rows->count, sizeof(*rows->list)))
		return NULL;
	rows->list[rows->count] = (struct table_rows_month){ .month = month, .width = width };
	return &rows->list[rows->count++];
}

struct database_value *table_rows_add(struct table_rows *rows, int month, size_t width)
{
	struct table_rows_month *of = month_of(rows, month, width);

	if (!of || !array_room(&of->values, of->count, width * sizeof(*of->values)))
		return NULL;
	return of->values + width * of->count++;
}

int table_rows_insert(const struct table_rows *rows, struct database *db, const struct database_table *table,
		      struct error *err)
{
	for (size_t i = 0; i < rows->count; i++)
		if (database_insert(db, table, rows->list[i].month, rows->list[i].values, rows->list[i].count, err) < 0)
			return -1;
	return 0;
}

int table_rows_insert_full(struct table_rows *rows, struct database *db, const struct database_table *table, struct error *err)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct table_rows_month *of = &rows->list[i];

		if (of->count < FULL)
			continue;
		if (database_insert(db, table, of->month, of->values, of->count, err) < 0)
			return -1;
		of->count = 0;
	}
	return 0;
}

void table_rows_forget(struct table_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		rows->list[i].count = 0;
}

int table_rows_erase(const struct table_rows *keys, struct database *db, const struct database_table *table,
		     struct error *err)
{
	for (size_t i = 0; i < keys->count; i++)
		if (database_erase(db, table, keys->list[i].month, keys->list[i].width, keys->list[i].values,
				   keys->list[i].count, err) < 0)
			return -1;
	return 0;
}

int table_rows_find(const struct table_rows *keys, struct database *db, const struct database_table *table,
		    database_each *each, void *context, struct error *err)
{
	for (size_t i = 0; i < keys->count; i++)
		if (database_find(db, table, keys->list[i].month, keys->list[i].width, keys->list[i].values,
				  keys->list[i].count, each, context, err) < 0)
			return -1;
	return 0;
}

void table_rows_free(struct table_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->list[i].values);
	free(rows->list);
	*rows = (struct table_rows){ 0 };
}
