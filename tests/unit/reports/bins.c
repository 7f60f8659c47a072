/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that medians and quantiles of bins are exact within 1 %, and that bins add and subtract. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reports/site/bins.h"

static void take(struct bins *bins, int64_t value, int64_t count)
{
	assert_int_equal(bins_count(bins, bins_index(value), count, NULL), 0);
}

static int compare(const void *a, const void *b)
{
	const int64_t *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

/* Returns the same numbers in each run, so that a failure can be reproduced. */
static int64_t next_value(uint64_t *seed, unsigned int bits)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)(*seed >> (64 - bits));
}

static void each_value_is_near_its_bins(void **state)
{
	(void)state;
	for (int64_t value = 0; value < INT64_MAX / 2; value += 1 + value / 777) {
		double found = bins_value(bins_index(value));

		if (!(fabs(found - (double)value) <= fmax(0.005 * (double)value, 0.5)))
			fail_msg("%lld is in the bin of %.3f", (long long)value, found);
	}
	for (int64_t value = 0; value < 100; value++)
		if (bins_value(bins_index(value)) != (double)value)
			fail_msg("%lld is in the bin of %.3f", (long long)value, bins_value(bins_index(value)));
}

static void quantiles_are_those_of_sorting(void **state)
{
	static const double shares[] = { 0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1 };
	static const size_t counts[] = { 1, 2, 3, 10, 1001, 5000 };
	int64_t values[5000];
	uint64_t seed = 1;

	(void)state;
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		for (unsigned int bits = 1; bits < 50; bits += 7) {
			struct bins bins = { 0 };

			for (size_t i = 0; i < counts[c]; i++)
				take(&bins, values[i] = next_value(&seed, bits), 1);
			qsort(values, counts[c], sizeof(values[0]), compare);
			for (size_t q = 0; q < sizeof(shares) / sizeof(shares[0]); q++) {
				size_t nth = (size_t)fmax(1, ceil(shares[q] * (double)counts[c] - 1e-9));
				double found = bins_quantile(&bins, shares[q]), right = (double)values[nth - 1];

				if (!(fabs(found - right) <= 0.01 * right))
					fail_msg("quantile %g of %zu: %g, not %g", shares[q], counts[c], found, right);
			}
			assert_int_equal(bins_total(&bins), counts[c]);
			bins_free(&bins);
		}
}

static void what_was_added_is_taken_away(void **state)
{
	struct bins all = { 0 }, some = { 0 };
	uint64_t seed = 2;

	(void)state;
	for (size_t i = 0; i < 1000; i++) {
		int64_t value = next_value(&seed, 40);

		take(&all, value, 1);
		if (i % 3 == 0)
			take(&some, value, 1);
	}
	assert_int_equal(bins_merge(&all, &some, -1, NULL), 0);
	assert_int_equal(bins_total(&all), 1000 - 334);
	assert_int_equal(bins_merge(&all, &some, 1, NULL), 0);
	assert_int_equal(bins_total(&all), 1000);
	assert_int_equal(bins_merge(&all, &all, 0, NULL), 0);
	assert_int_equal(bins_merge(&some, &some, 0, NULL), 0);
	for (size_t i = some.used; i-- > 0;)
		assert_int_equal(bins_count(&some, some.list[i].index, -some.list[i].count, NULL), 0);
	assert_int_equal(some.used, 0);
	assert_true(isnan(bins_quantile(&some, 0.5)));
	bins_free(&all);
	bins_free(&some);
}

/* Many are merged in one pass, and few one by one. */
static void many_are_merged_as_one_by_one(void **state)
{
	(void)state;
	for (int32_t step = 1; step < 200; step += 7)
		for (int sign = -1; sign <= 1; sign += 2) {
			struct bins all = { 0 }, single = { 0 }, other = { 0 };

			for (int32_t i = 0; i < 300; i += 3) {
				take(&all, i * i, i + 1);
				take(&single, i * i, i + 1);
			}
			for (int32_t i = 0; i < 400; i += step)
				take(&other, i * i, i + 1);
			for (size_t i = 0; i < other.used; i++)
				assert_int_equal(bins_count(&single, other.list[i].index, sign * other.list[i].count, NULL), 0);
			assert_int_equal(bins_merge(&all, &other, sign, NULL), 0);
			assert_int_equal(all.used, single.used);
			for (size_t i = 0; i < all.used; i++) {
				assert_int_equal(all.list[i].index, single.list[i].index);
				assert_int_equal(all.list[i].count, single.list[i].count);
			}
			bins_free(&all);
			bins_free(&single);
			bins_free(&other);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_value_is_near_its_bins),
		cmocka_unit_test(quantiles_are_those_of_sorting),
		cmocka_unit_test(what_was_added_is_taken_away),
		cmocka_unit_test(many_are_merged_as_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
