/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests whether two samples differ by more than chance. docs/compare.md names the sources. */
#ifndef STINT_COMPARE_STATS_H
#define STINT_COMPARE_STATS_H

#include <stddef.h>

/*
 * Returns the quantile @share (0.5: median) of @values, with linear interpolation. NAN if there are none.
 * Sorts @values.
 */
double stats_quantile(double *values, size_t count, double share);

/*
 * Returns the probability that two samples of one population differ in rank as much as @a and @b; 1 if @a or @b is
 * empty.
 * Mann-Whitney test, two-sided: normal approximation, with corrections for ties and continuity.
 */
double stats_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count);

/* Wilcoxon signed-rank test for the @differences of pairs. Differences of zero do not count. */
double stats_signed_ranks(const double *differences, size_t count);

#endif
