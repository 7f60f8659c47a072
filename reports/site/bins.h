/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A histogram of values in bins that are each 1 % wide. Medians and quantiles over any number of jobs are therefore
 * accurate to 1 %. Counts can be added and subtracted.
 */
#ifndef STINT_BINS_H
#define STINT_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Initialize to all zero. Bins without a count are not stored. */
struct bins {
	struct bin {
		int32_t index;
		int64_t count;
	} *list; /* by index */
	size_t used, room;
};

/*
 * Returns the index of the bin for @value: 0 for the value 0, and at least 1 for larger values. Values below 0 count
 * as 0.
 */
int32_t bins_index(int64_t value);

/*
 * Returns the value that represents the bin @index. Each value in the bin differs from it by at most 0.5 %, or only
 * because it is rounded to a whole number.
 */
double bins_value(int32_t index);

/*
 * Adds @count, which may be negative, to the bin @index.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int bins_count(struct bins *bins, int32_t index, int64_t count, struct error *err);

/* Adds @sign times each count of @other. Returns as bins_count() does. */
int bins_merge(struct bins *bins, const struct bins *other, int sign, struct error *err);

/*
 * Returns the quantile @q, from 0 to 1, within 1 %. In a sorted list of the n values, this is the value at position
 * ceil(q x n), or the first value if that is 0. NAN if nothing was counted.
 */
double bins_quantile(const struct bins *bins, double q);

/* Returns how many values were counted. */
int64_t bins_total(const struct bins *bins);

void bins_free(struct bins *bins);

#endif
