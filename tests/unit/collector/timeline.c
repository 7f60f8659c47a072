/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a timeline stays small and its sums exact, however many runs a job has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "collector/job/job_timeline.h"

#define MS 1000000ull

struct sums {
	uint64_t count, failures, wall_ns, use[ABI_USES_SENT], peak_bytes;
};

static struct sums sum(const struct timeline *timeline)
{
	struct sums s = { 0 };

	for (size_t i = 0; i < timeline->count; i++) {
		const struct timeline_entry *e = &timeline->entries[i];

		s.count += e->count;
		s.failures += e->failures;
		s.wall_ns += e->wall_ns;
		for (int u = 0; u < ABI_USES_SENT; u++)
			s.use[u] += e->use[u];
		if (e->peak_bytes > s.peak_bytes)
			s.peak_bytes = e->peak_bytes;
	}
	return s;
}

static struct event run_of(uint64_t tool, uint64_t start_ns, uint64_t length_ns)
{
	struct event event = {
		.kind = EVENT_IMAGE,
		.flags = EVENT_EXECED,
		.tool = tool,
		.step = 1,
		.pid = 100,
		.start_ns = start_ns,
		.end_ns = start_ns + length_ns,
		.peak_bytes = 4096 + tool,
	};

	for (int i = 0; i < ABI_USES_SENT; i++)
		event.use[i] = length_ns / 2 + i;
	return event;
}

static void few_runs_stay_as_they_are(void **state)
{
	struct timeline timeline = { 0 };

	(void)state;
	for (int i = 0; i < 64; i++) {
		struct event event = run_of(1, i * MS, MS / 2);

		timeline_add(&timeline, &event, 64);
	}
	assert_int_equal(timeline.count, 64);
	for (int i = 0; i < 64; i++)
		assert_int_equal(timeline.entries[i].count, 1);
	timeline_free(&timeline);
}

static void a_million_runs_become_bursts_with_exact_sums(void **state)
{
	struct timeline timeline = { 0 };
	struct sums s;

	(void)state;
	for (uint64_t i = 0; i < 1000000; i++) {
		struct event event = run_of(i % 5, i * MS, MS);

		event.status = i % 10 == 0 ? 256 : 0;
		timeline_add(&timeline, &event, 4096);
		assert_true(timeline.count <= 4096);
	}
	s = sum(&timeline);
	assert_int_equal(s.count, 1000000);
	assert_int_equal(s.failures, 100000);
	assert_int_equal(s.wall_ns, 1000000 * MS);
	for (int i = 0; i < ABI_USES_SENT; i++)
		assert_int_equal(s.use[i], 1000000 * (MS / 2 + i));
	assert_int_equal(s.peak_bytes, 4096 + 4);
	assert_true(timeline.room <= 4096);
	assert_int_equal(timeline.lost, 0);
	timeline_free(&timeline);
}

static void long_runs_outlive_short_ones(void **state)
{
	struct timeline timeline = { 0 };
	struct event hour = run_of(7, 0, 3600000 * MS);
	int whole = 0;

	(void)state;
	timeline_add(&timeline, &hour, 256);
	for (uint64_t i = 0; i < 100000; i++) {
		struct event event = run_of(1, i * 36 * MS, MS);

		timeline_add(&timeline, &event, 256);
	}
	hour.start_ns += 3600000 * MS;
	hour.end_ns += 3600000 * MS;
	timeline_add(&timeline, &hour, 256);
	for (size_t i = 0; i < timeline.count; i++)
		whole += timeline.entries[i].tool == 7 && timeline.entries[i].count == 1;
	assert_int_equal(whole, 2);
	timeline_free(&timeline);
}

static void runs_at_regular_intervals_do_not_become_one(void **state)
{
	struct timeline timeline = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 100000; i++) {
		struct event event = run_of(1, i * 1000 * MS, MS);

		timeline_add(&timeline, &event, 256);
		assert_true(i < 256 || timeline.count > 64);
	}
	assert_int_equal(sum(&timeline).count, 100000);
	timeline_free(&timeline);
}

static void different_tools_steps_and_forks_are_never_joined(void **state)
{
	struct timeline timeline = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 4096; i++) {
		struct event event = run_of(i % 2, i * MS, MS / 2);

		event.step = i % 4 / 2;
		event.flags = i % 8 < 4 ? EVENT_EXECED : 0;
		timeline_add(&timeline, &event, 16);
	}
	for (size_t i = 0; i < timeline.count; i++)
		assert_true(timeline.entries[i].count <= 512);
	assert_true(timeline.count >= 8);
	assert_int_equal(sum(&timeline).count, 4096);
	timeline_free(&timeline);
}

/* Nothing of the tools @first to @last can be joined. */
static void run_once_each(struct timeline *timeline, uint64_t first, uint64_t last, size_t max)
{
	for (uint64_t tool = first; tool <= last; tool++) {
		struct event event = run_of(tool, tool * MS, tool * MS);

		timeline_add(timeline, &event, max);
	}
}

static void of_more_tools_than_entries_the_shortest_runs_are_lost_and_counted(void **state)
{
	struct timeline timeline = { 0 };

	(void)state;
	run_once_each(&timeline, 1, 64, 64);
	assert_int_equal(timeline.count, 64);
	assert_int_equal(timeline.lost, 0);
	run_once_each(&timeline, 65, 65, 64);
	assert_int_equal(timeline.lost, 32);
	run_once_each(&timeline, 66, 1000, 64);
	assert_true(timeline.count <= 64 && timeline.room <= 64);
	assert_int_equal(sum(&timeline).count + timeline.lost, 1000);
	for (size_t i = 0; i < timeline.count; i++)
		assert_true(timeline.entries[i].tool > 900);
	timeline_free(&timeline);
}

static void one_that_has_to_be_shorter_gives_its_room_back(void **state)
{
	struct timeline timeline = { 0 };
	struct sums before, after;

	(void)state;
	for (uint64_t i = 0; i < 4000; i++) {
		struct event event = run_of(i % 5, i * MS, MS);

		timeline_add(&timeline, &event, 4096);
	}
	before = sum(&timeline);
	timeline_shorten(&timeline, 100);
	after = sum(&timeline);
	assert_true(timeline.count <= 100 && timeline.room <= 100);
	assert_memory_equal(&before, &after, sizeof(before));
	assert_int_equal(timeline.lost, 0);
	timeline_free(&timeline);
}

static void a_replaced_image_has_not_failed(void **state)
{
	struct timeline timeline = { 0 };
	struct event event = run_of(1, 0, MS);

	(void)state;
	event.flags |= EVENT_REPLACED;
	event.status = 9; /* of an earlier image of the process */
	timeline_add(&timeline, &event, 16);
	assert_int_equal(timeline.entries[0].failures, 0);
	timeline_free(&timeline);
}

/* As for its tool, which counts only failures of runs. */
static void a_fork_that_ran_its_parents_image_has_not_failed(void **state)
{
	struct timeline timeline = { 0 };
	struct event event = run_of(1, 0, MS);

	(void)state;
	event.status = 3 << 8;
	event.flags |= EVENT_EXECED;
	timeline_add(&timeline, &event, 16);
	event.flags &= ~EVENT_EXECED;
	timeline_add(&timeline, &event, 16);
	assert_int_equal(timeline.entries[0].failures, 1);
	assert_int_equal(timeline.entries[1].failures, 0);
	timeline_free(&timeline);
}

static void it_is_sorted_by_start(void **state)
{
	struct timeline timeline = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 100; i++) {
		struct event event = run_of(1, (i * 37 % 100) * MS, MS);

		timeline_add(&timeline, &event, 1000);
	}
	timeline_sort(&timeline);
	for (size_t i = 1; i < timeline.count; i++)
		assert_true(timeline.entries[i - 1].start_ns <= timeline.entries[i].start_ns);
	timeline_free(&timeline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_runs_stay_as_they_are),
		cmocka_unit_test(a_million_runs_become_bursts_with_exact_sums),
		cmocka_unit_test(long_runs_outlive_short_ones),
		cmocka_unit_test(runs_at_regular_intervals_do_not_become_one),
		cmocka_unit_test(different_tools_steps_and_forks_are_never_joined),
		cmocka_unit_test(of_more_tools_than_entries_the_shortest_runs_are_lost_and_counted),
		cmocka_unit_test(one_that_has_to_be_shorter_gives_its_room_back),
		cmocka_unit_test(a_replaced_image_has_not_failed),
		cmocka_unit_test(a_fork_that_ran_its_parents_image_has_not_failed),
		cmocka_unit_test(it_is_sorted_by_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
