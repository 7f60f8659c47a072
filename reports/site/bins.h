/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often values occurred, in bins that are 1 % wide each. So medians and quantiles over any number of jobs are
 * known within 1 %, and what was counted can be added and taken away again.
 */
#ifndef STINT_BINS_H
#define STINT_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Begins as all zero. Bins without a count are not kept. */
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
 * Returns the value that stands for the bin @index: no value of it is farther from it than 0.5 %, or than rounding to
 * a whole number takes.
 */
double bins_value(int32_t index);

/*
 * Adds @count, which may be negative, to the bin @index.
 *
 * Returns 0; -1 with @err set when memory is short.
 */
int bins_count(struct bins *bins, int32_t index, int64_t count, struct error *err);

/* Adds all counts of @other, @sign times. Returns as bins_count(). */
int bins_merge(struct bins *bins, const struct bins *other, int sign, struct error *err);

/*
 * Returns the value below which the share @q (0 to 1) of all lies, as sorting would find it (the ceil(q x n)-th, the
 * first for 0), within 1 %; NAN where nothing was counted.
 */
double bins_quantile(const struct bins *bins, double q);

/* Returns how many values were counted. */
int64_t bins_total(const struct bins *bins);

void bins_free(struct bins *bins);

#endif
