/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A histogram. Each bin is 1 % wide, so medians and quantiles are accurate to 1 %. */
#ifndef STINT_BINS_H
#define STINT_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Initialize to all zero. No bin has a count of 0. */
struct bins {
	struct bin {
		int32_t index;
		int64_t count;
	} *list; /* sorted by index */
	size_t used, room;
};

/* Returns 0 if @value is 0 or negative, otherwise at least 1. */
int32_t bins_index(int64_t value);

/* Returns the value for a bin. Whole numbers in the bin differ from it by at most 0.5 %. */
double bins_value(int32_t index);

/* @count may be negative. Returns 0; -1 with @err set if out of memory. */
int bins_count(struct bins *bins, int32_t index, int64_t count, struct error *err);

/* Adds @sign times each count of @other. Returns 0; -1 with @err set if out of memory. */
int bins_merge(struct bins *bins, const struct bins *other, int sign, struct error *err);

/*
 * Returns the quantile @q, from 0 to 1. This is the value at position ceil(q x n) of n sorted values, or the first
 * value if the position is 0. Returns NAN if nothing was counted.
 */
double bins_quantile(const struct bins *bins, double q);

/* Returns how many values were counted. */
int64_t bins_total(const struct bins *bins);

void bins_free(struct bins *bins);

#endif
