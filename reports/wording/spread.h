/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What many jobs used of one thing: the least, the median and the most. */
#ifndef STINT_SPREAD_H
#define STINT_SPREAD_H

#include <stddef.h>

#include "reports/read/summary.h"

struct spread {
	size_t known; /* of how many jobs the value is known; where it is of none, the other values are NAN and NULL */
	double least, median, most;
	const struct summary *least_row, *most_row;
};

/*
 * Returns the spread of @value over @rows. Where there is no memory, as if the value were known of none.
 */
struct spread spread_of(const struct summary *rows, size_t count, double (*value)(const struct summary *row));

#endif
