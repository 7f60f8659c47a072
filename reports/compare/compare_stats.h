/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests whether two samples differ by more than chance explains. docs/compare.md names the sources. */
#ifndef STINT_COMPARE_STATS_H
#define STINT_COMPARE_STATS_H

#include <stddef.h>

/*
 * Returns the @share quantile of the @count values; NAN if there are none. Interpolates linearly between two values.
 * Sorts @values.
 *
 * @share: for example 0.5 for the median
 */
double stats_quantile(double *values, size_t count, double share);

/*
 * Returns the probability that two samples of one population differ in rank at least as much as these two samples; 1
 * if either is empty. This is the test by Mann and Whitney, two-sided, with a normal approximation and corrections
 * for ties and continuity.
 */
double stats_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count);

/*
 * Like stats_mann_whitney(), but for pairs of values. @differences has the difference of each pair. This is the test by
 * Wilcoxon, with signed ranks. Differences of zero do not count.
 */
double stats_signed_ranks(const double *differences, size_t count);

#endif
