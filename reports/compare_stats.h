/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether two samples differ by more than chance; docs/compare.md names the sources. */
#ifndef STINT_COMPARE_STATS_H
#define STINT_COMPARE_STATS_H

#include <stddef.h>

/*
 * Returns the @share quantile of the @count values, which are sorted by this (0.5: the median); NAN without any.
 * Between two values it is on the line from one to the other.
 */
double stats_quantile(double *values, size_t count, double share);

/*
 * Returns the probability of two samples at least as far apart in rank, were they of one population (Mann and
 * Whitney, two-sided, the normal approximation with corrections for ties and continuity); 1 where either is empty.
 */
double stats_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count);

/*
 * The same for the differences of pairs, of which zeros say nothing (Wilcoxon's signed ranks).
 */
double stats_signed_ranks(const double *differences, size_t count);

#endif
