/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A column of a time series: one value for each sample. */
#ifndef STINT_COLUMN_H
#define STINT_COLUMN_H

#include <string.h>

#include "reports/model/report_tables.h"

/* An offset of 0 means no column, because struct report_columns does not begin with a column. */
struct column {
	size_t offset; /* in struct report_columns */
	bool seconds;  /* else counts */
};

#define COLUMN(name) { offsetof(struct report_columns, name), false }
#define COLUMN_S(name) { offsetof(struct report_columns, name), true }

static inline struct report_any_list column_list(const struct report_columns *columns, const struct column *column)
{
	struct report_any_list list = { 0 };

	if (column->offset)
		memcpy(&list, (const char *)columns + column->offset, sizeof(list));
	return list;
}

/* Returns the value of sample @i; NAN if it is not known, or if @column means no column. */
static inline double column_value(const struct report_columns *columns, const struct column *column, size_t i)
{
	struct report_any_list list = column_list(columns, column);

	if (i >= list.count)
		return NAN;
	return column->seconds ? report_s(((const struct report_seconds *)list.items)[i]) :
				 report_number(((const int64_t *)list.items)[i]);
}

#endif
