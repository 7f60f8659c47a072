/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/compare/compare_stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/cleanup.h"

struct ranked {
	double value, rank;
	bool counted;
};

static int compare_values(const void *a, const void *b)
{
	const double *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	return (one->value > other->value) - (one->value < other->value);
}

double stats_quantile(double *values, size_t count, double share)
{
	double at, low;

	if (count == 0)
		return NAN;
	qsort(values, count, sizeof(*values), compare_values);
	at = share * (double)(count - 1);
	low = floor(at);
	if ((size_t)low + 1 >= count)
		return values[count - 1];
	return values[(size_t)low] + (at - low) * (values[(size_t)low + 1] - values[(size_t)low]);
}

/* Gives equal values the mean of their ranks. Returns the sum of t^3 - t over all groups of t equal values. */
static double rank(struct ranked *list, size_t count)
{
	double ties = 0;

	qsort(list, count, sizeof(*list), compare_ranked);
	for (size_t i = 0, same; i < count; i += same) {
		for (same = 1; i + same < count && list[i + same].value == list[i].value;)
			same++;
		for (size_t k = i; k < i + same; k++)
			list[k].rank = (double)i + (double)(same + 1) / 2;
		ties += (double)same * ((double)same * (double)same - 1);
	}
	return ties;
}

static double sum_counted(const struct ranked *list, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].counted)
			sum += list[i].rank;
	return sum;
}

/*
 * Returns the two-sided probability of a statistic that is @off from its mean.
 * The statistic has whole steps, so half a step is subtracted (continuity correction).
 */
static double probability(double off, double variance)
{
	double z = variance > 0 ? (fabs(off) - 0.5) / sqrt(variance) : 0;

	return z > 0 ? erfc(z / sqrt(2)) : 1;
}

double stats_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count)
{
	size_t count = a_count + b_count;
	cleanup_free struct ranked *list = calloc(count + 1, sizeof(*list));
	double ties, u, n = (double)count, na = (double)a_count, nb = (double)b_count;

	if (!list || a_count == 0 || b_count == 0)
		return 1;
	for (size_t i = 0; i < count; i++)
		list[i] = (struct ranked){ i < a_count ? a[i] : b[i - a_count], 0, i < a_count };
	ties = rank(list, count);
	u = sum_counted(list, count) - na * (na + 1) / 2;
	return probability(u - na * nb / 2, na * nb / 12 * (n + 1 - ties / (n * (n - 1))));
}

double stats_signed_ranks(const double *differences, size_t count)
{
	cleanup_free struct ranked *list = calloc(count + 1, sizeof(*list));
	double ties, n;
	size_t used = 0;

	if (!list)
		return 1;
	for (size_t i = 0; i < count; i++)
		if (differences[i] != 0)
			list[used++] = (struct ranked){ fabs(differences[i]), 0, differences[i] > 0 };
	if (used == 0)
		return 1;
	ties = rank(list, used);
	n = (double)used;
	return probability(sum_counted(list, used) - n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24 - ties / 48);
}
