/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STINT_SPREAD_H
#define STINT_SPREAD_H

#include <stddef.h>

#include "reports/read/summary.h"

struct spread {
	size_t known; /* how many jobs have a known value; if 0, all other members are NAN or NULL */
	double least, median, most;
	const struct summary *least_row, *most_row;
};

/* Returns the spread of @value over @rows; empty if out of memory. */
struct spread spread_of(const struct summary *rows, size_t count, double (*value)(const struct summary *row));

#endif
