/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that a series has at most 4,096 points, however long the job runs, and that each column sums to the job's
 * use.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/job/job_series.h"

#define SECOND 1000000000ull

/* Each sum has its own number, so that a mix-up is seen. */
static void used_by(uint64_t samples, __u64 use[ABI_USES_SENT])
{
	for (int i = 0; i < ABI_USES_SENT; i++)
		use[i] = samples * (samples + 1) / 2 * (i + 1);
}

static void add(struct series *series, uint64_t sample, size_t max)
{
	const int64_t level[SERIES_LEVELS] = { sample % 1000, SERIES_UNKNOWN, sample, 7 };
	__u64 use[ABI_USES_SENT];

	used_by(sample, use);
	series_add(series, series->start_ns + sample * SECOND, use, level, max);
}

static void sample_for(struct series *series, uint64_t from, uint64_t to, size_t max)
{
	series_begin(series, 5 * SECOND);
	for (uint64_t sample = from; sample <= to; sample++)
		add(series, sample, max);
}

static void assert_sums(const struct series *series, const __u64 use[ABI_USES_SENT])
{
	for (int i = 0; i < ABI_USES_SENT; i++) {
		uint64_t sum = 0;

		for (size_t p = 0; p < series->count; p++)
			sum += series->points[p].use[i];
		assert_true(sum == use[i]);
		assert_true(series->total[i] == use[i]);
	}
}

static void assert_point(const struct series_point *point, uint64_t from, uint64_t to)
{
	__u64 before[ABI_USES_SENT], after[ABI_USES_SENT];

	used_by(from - 1, before);
	used_by(to, after);
	for (int i = 0; i < ABI_USES_SENT; i++)
		assert_true(point->use[i] == after[i] - before[i]);
	assert_true(point->end_ns == (5 + to) * SECOND);
	assert_true(point->level[SERIES_PROCESSES] == (int64_t)to);
	assert_true(point->level[SERIES_MEMORY_CACHE] == SERIES_UNKNOWN);
}

static void up_to_4096_samples_are_points_of_their_own(void **state)
{
	struct series series = { 0 };

	(void)state;
	sample_for(&series, 1, 4096, SERIES_POINTS_MAX);
	assert_int_equal(series.count, 4096);
	assert_int_equal(series.samples, 1);
	for (uint64_t i = 0; i < 4096; i++)
		assert_point(&series.points[i], i + 1, i + 1);
	series_free(&series);
}

static void with_one_more_each_point_is_two(void **state)
{
	struct series series = { 0 };

	(void)state;
	sample_for(&series, 1, 4097, SERIES_POINTS_MAX);
	assert_int_equal(series.count, 2049);
	assert_int_equal(series.samples, 2);
	for (uint64_t i = 0; i < 2048; i++)
		assert_point(&series.points[i], 2 * i + 1, 2 * i + 2);
	assert_point(&series.points[2048], 4097, 4097);
	add(&series, 4098, SERIES_POINTS_MAX);
	assert_int_equal(series.count, 2049);
	assert_point(&series.points[2048], 4097, 4098);
	add(&series, 4099, SERIES_POINTS_MAX);
	assert_int_equal(series.count, 2050);
	series_free(&series);
}

static void a_week_of_samples_fits_with_exact_sums(void **state)
{
	struct series series = { 0 };
	__u64 use[ABI_USES_SENT];

	(void)state;
	sample_for(&series, 1, 604800, SERIES_POINTS_MAX);
	used_by(604800, use);
	assert_sums(&series, use);
	assert_true(series.count > SERIES_POINTS_MAX / 2 && series.count <= SERIES_POINTS_MAX);
	assert_int_equal(series.samples, 256);
	for (size_t i = 0; i + 1 < series.count; i++)
		assert_point(&series.points[i], i * 256 + 1, (i + 1) * 256);
	assert_true(series.room <= SERIES_POINTS_MAX);
	series_free(&series);
}

static void of_levels_the_highest_is_kept(void **state)
{
	struct series series = { 0 };

	(void)state;
	sample_for(&series, 1, 1500, 16);
	assert_true(series.count <= 16);
	assert_int_equal(series.samples, 128);
	/* 999 is in the eighth; 1000 is returned as 0 */
	assert_int_equal(series.points[7].level[SERIES_MEMORY_USED], 999);
	assert_int_equal(series.points[8].level[SERIES_MEMORY_USED], 152);
	assert_int_equal(series.points[8].level[SERIES_THREADS], 7);
	series_free(&series);
}

static void the_end_has_what_samples_missed(void **state)
{
	struct series series = { 0 };
	__u64 use[ABI_USES_SENT];

	(void)state;
	sample_for(&series, 1, 10, SERIES_POINTS_MAX);
	used_by(12, use);
	series_end(&series, 16 * SECOND, use);
	assert_int_equal(series.count, 11);
	assert_sums(&series, use);
	assert_true(series.points[10].end_ns == 16 * SECOND);
	assert_true(series.points[10].use[0] == 11 + 12);
	assert_int_equal(series.points[10].level[SERIES_PROCESSES], SERIES_UNKNOWN);
	series_free(&series);
}

/* stintd continued with samples after the job was over. */
static void what_comes_after_the_end_is_in_the_last_point(void **state)
{
	static const struct {
		uint64_t end_ns;
		size_t count;
	} ends[] = {
		{ 15 * SECOND, 10 },   { 13 * SECOND + 1, 9 }, { 13 * SECOND, 8 }, { 12 * SECOND + 5, 8 },
		{ 5 * SECOND + 1, 1 }, { 5 * SECOND, 1 },      { 4 * SECOND, 1 }, /* a damaged time */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct series series = { 0 };
		__u64 use[ABI_USES_SENT];
		uint64_t last = ends[i].end_ns < 5 * SECOND ? 5 * SECOND : ends[i].end_ns;

		sample_for(&series, 1, 10, SERIES_POINTS_MAX);
		used_by(11, use);
		series_end(&series, ends[i].end_ns, use);
		assert_int_equal(series.count, ends[i].count);
		assert_sums(&series, use);
		assert_true(series.points[series.count - 1].end_ns == last && series.end_ns == last);
		assert_int_equal(series.points[series.count - 1].level[SERIES_PROCESSES], 10);
		for (size_t p = 0; p + 1 < series.count; p++)
			assert_point(&series.points[p], p + 1, p + 1);
		series_free(&series);
	}
}

static void what_samples_had_too_much_is_taken_from_the_last_ones(void **state)
{
	struct series series = { 0 };
	__u64 use[ABI_USES_SENT];

	(void)state;
	sample_for(&series, 1, 10, SERIES_POINTS_MAX);
	used_by(10, use);
	use[USE_WRITE_BYTES] -= 10 * (USE_WRITE_BYTES + 1) + 1; /* all of the tenth, and one of the ninth */
	series_end(&series, 15 * SECOND, use);
	assert_sums(&series, use);
	assert_int_equal(series.points[9].use[USE_WRITE_BYTES], 0);
	assert_int_equal(series.points[8].use[USE_WRITE_BYTES], 9 * (USE_WRITE_BYTES + 1) - 1);
	assert_int_equal(series.points[9].use[USE_CPU], 10 * (USE_CPU + 1));
	series_free(&series);
}

static void a_sum_that_falls_back_stands_still(void **state)
{
	const int64_t level[SERIES_LEVELS] = { 0 };
	__u64 use[ABI_USES_SENT] = { [USE_CPU] = 100 };
	struct series series = { 0 };

	(void)state;
	series_begin(&series, SECOND);
	series_add(&series, 2 * SECOND, use, level, 16);
	use[USE_CPU] = 90;
	series_add(&series, 3 * SECOND, use, level, 16);
	use[USE_CPU] = 120;
	series_add(&series, 4 * SECOND, use, level, 16);
	assert_int_equal(series.points[0].use[USE_CPU], 100);
	assert_int_equal(series.points[1].use[USE_CPU], 0);
	assert_int_equal(series.points[2].use[USE_CPU], 20);
	series_free(&series);
}

static void a_job_shorter_than_a_sample_has_one_point(void **state)
{
	struct series series = { 0 };
	__u64 use[ABI_USES_SENT];

	(void)state;
	used_by(3, use);
	series_begin(&series, 5 * SECOND);
	series_begin(&series, 6 * SECOND);
	series_end(&series, 5 * SECOND + 3, use);
	assert_int_equal(series.count, 1);
	assert_sums(&series, use);
	assert_true(series.start_ns == 5 * SECOND);
	assert_true(series.points[0].end_ns == 5 * SECOND + 3);
	series_free(&series);
}

static void sums_that_no_point_was_kept_of_are_not_lost(void **state)
{
	struct series series = { 0 };
	__u64 use[ABI_USES_SENT];

	(void)state;
	sample_for(&series, 1, 4, 0);
	assert_int_equal(series.count, 0);
	assert_int_equal(series.room, 0);
	sample_for(&series, 5, 6, 16);
	used_by(7, use);
	series_end(&series, 12 * SECOND, use);
	assert_int_equal(series.count, 3);
	assert_sums(&series, use);
	assert_int_equal(series.points[0].use[0], 1 + 2 + 3 + 4 + 5);
	assert_int_equal(series.points[1].use[0], 6);
	assert_int_equal(series.points[2].use[0], 7);
	series_free(&series);
}

static void one_that_has_to_be_shorter_gives_its_room_back(void **state)
{
	struct series series = { 0 };
	__u64 use[ABI_USES_SENT];

	(void)state;
	sample_for(&series, 1, 4095, SERIES_POINTS_MAX);
	series_shorten(&series, 100);
	assert_true(series.count <= 100 && series.room <= 100);
	used_by(4095, use);
	assert_sums(&series, use);
	/* 64 samples a point; the last one lacks one */
	assert_int_equal(series.count, 64);
	assert_point(&series.points[62], 62 * 64 + 1, 63 * 64);
	assert_point(&series.points[63], 63 * 64 + 1, 4095);
	sample_for(&series, 4096, 4097, 100);
	assert_int_equal(series.count, 65);
	assert_point(&series.points[63], 63 * 64 + 1, 4096);
	assert_point(&series.points[64], 4097, 4097);
	series_shorten(&series, 1);
	assert_int_equal(series.count, 1);
	add(&series, 4098, 1);
	assert_int_equal(series.count, 1);
	assert_point(&series.points[0], 1, 4098);
	series_free(&series);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(up_to_4096_samples_are_points_of_their_own),
		cmocka_unit_test(with_one_more_each_point_is_two),
		cmocka_unit_test(a_week_of_samples_fits_with_exact_sums),
		cmocka_unit_test(of_levels_the_highest_is_kept),
		cmocka_unit_test(the_end_has_what_samples_missed),
		cmocka_unit_test(what_comes_after_the_end_is_in_the_last_point),
		cmocka_unit_test(what_samples_had_too_much_is_taken_from_the_last_ones),
		cmocka_unit_test(a_sum_that_falls_back_stands_still),
		cmocka_unit_test(a_job_shorter_than_a_sample_has_one_point),
		cmocka_unit_test(sums_that_no_point_was_kept_of_are_not_lost),
		cmocka_unit_test(one_that_has_to_be_shorter_gives_its_room_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
