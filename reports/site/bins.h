/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts values in a histogram. Each bin is 1 % wide, so medians and quantiles over any number of jobs
 * are accurate to 1 %. Histograms can be added and subtracted.
 */
#ifndef STINT_BINS_H
#define STINT_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Initialize to all zero. The list has no bins whose count is 0. */
struct bins {
	struct bin {
		int32_t index;
		int64_t count;
	} *list; /* by index */
	size_t used, room;
};

/*
 * Returns the index of the bin for @value. The index is 0 if the value is 0 or negative, and at least
 * 1 if it is larger.
 */
int32_t bins_index(int64_t value);

/*
 * Returns the value that represents the bin @index. It differs from each whole number in the bin by at
 * most 0.5 %. If values were rounded to whole numbers before they were counted, the error of the
 * rounding adds to that.
 */
double bins_value(int32_t index);

/*
 * Adds @count to the bin @index. @count may be negative.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int bins_count(struct bins *bins, int32_t index, int64_t count, struct error *err);

/* Adds @sign times each count of @other to @bins. Return values are those of bins_count(). */
int bins_merge(struct bins *bins, const struct bins *other, int sign, struct error *err);

/*
 * Returns the quantile @q, accurate to 1 %. @q is from 0 to 1. In a sorted list of all n values, the
 * quantile is the value at position ceil(q x n), or the first value if that position is 0. Returns NAN
 * if nothing was counted.
 */
double bins_quantile(const struct bins *bins, double q);

/* Returns how many values were counted. */
int64_t bins_total(const struct bins *bins);

void bins_free(struct bins *bins);

#endif
