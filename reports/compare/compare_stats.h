/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests whether two samples differ by more than chance; docs/compare.md names the sources. */
#ifndef STINT_COMPARE_STATS_H
#define STINT_COMPARE_STATS_H

#include <stddef.h>

/*
 * Returns the @share quantile (0.5: the median) of the @count values, and sorts them; NAN if there are none.
 * Interpolates linearly between two values.
 */
double stats_quantile(double *values, size_t count, double share);

/*
 * Returns the probability that two samples of one population differ in rank at least as much as these (Mann and
 * Whitney, two-sided, normal approximation with corrections for ties and continuity); 1 if either sample is empty.
 */
double stats_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count);

/*
 * Returns the same probability for the differences of pairs; zeros do not count (Wilcoxon's signed ranks).
 */
double stats_signed_ranks(const double *differences, size_t count);

#endif
