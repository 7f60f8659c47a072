/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A histogram of values, in bins that are 1 % wide each. So medians and quantiles over any number of jobs are accurate to 1 %, and
 * counts can be added and subtracted.
 */
#ifndef STINT_BINS_H
#define STINT_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Starts as all zero. Bins without a count are not kept. */
struct bins {
	struct bin {
		int32_t index;
		int64_t count;
	} *list; /* by index */
	size_t used, room;
};

/*
 * Returns the bin of @value: 0 for 0, else from 1 on. Values below 0 count as 0.
 */
int32_t bins_index(int64_t value);

/*
 * Returns the value that represents the bin @index. Each value in the bin is within 0.5 % of it, or differs from it only by
 * rounding to a whole number.
 */
double bins_value(int32_t index);

/*
 * Adds @count, which may be negative, to the bin @index.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int bins_count(struct bins *bins, int32_t index, int64_t count, struct error *err);

/* Adds all counts of @other, @sign times. Returns as bins_count(). */
int bins_merge(struct bins *bins, const struct bins *other, int sign, struct error *err);

/*
 * Returns the quantile @q (0 to 1), within 1 %: the value that sorting would find at place ceil(q x n), or the first for 0. NAN if
 * nothing was counted.
 */
double bins_quantile(const struct bins *bins, double q);

/* Returns how many values were counted. */
int64_t bins_total(const struct bins *bins);

void bins_free(struct bins *bins);

#endif
