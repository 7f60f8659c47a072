/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/table_rows.h"

#include <stdlib.h>

static struct table_rows_month *month_of(struct table_rows *rows, int month, size_t width)
{
	struct table_rows_month *more;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].month == month)
			return &rows->list[i];
	more = reallocarray(rows->list, rows->count + 1, sizeof(*more));
	if (!more)
		return NULL;
	rows->list = more;
	more[rows->count] = (struct table_rows_month){ .month = month, .width = width };
	return &more[rows->count++];
}

struct database_value *table_rows_add(struct table_rows *rows, int month, size_t width)
{
	struct table_rows_month *of = month_of(rows, month, width);
	struct database_value *more;

	if (!of)
		return NULL;
	if (of->count == of->room) {
		more = reallocarray(of->values, of->room ? 2 * of->room : 64, width * sizeof(*more));
		if (!more)
			return NULL;
		of->values = more;
		of->room = of->room ? 2 * of->room : 64;
	}
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
