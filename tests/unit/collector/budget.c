/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that data about jobs has a limit, whatever the jobs do, and that sums stay exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "collector/job/job_budget.h"

#define SECOND 1000000000ull
#define ENTRIES_MAX 4096

static struct job *users_job(struct jobs *jobs, uint32_t id, uint32_t uid)
{
	static struct control_message message;
	struct job *job;

	message.kind = CONTROL_OPEN;
	message.job_id = id;
	message.uid = uid;
	strcpy(message.node, "n1");
	job = jobs__add(jobs, &message);
	assert_non_null(job);
	series_begin(&job->series, SECOND);
	return job;
}

static struct job *open_job(struct jobs *jobs, uint32_t id)
{
	return users_job(jobs, id, 1);
}

static void close_all(struct jobs *jobs)
{
	while (jobs->first)
		jobs__remove(jobs, jobs->first);
}

static void end_images(struct jobs *jobs, struct job *job, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		struct event event = {
			.kind = EVENT_IMAGE,
			.flags = EVENT_EXECED,
			.tool = i % 3,
			.start_ns = i * SECOND,
			.end_ns = i * SECOND + 1000,
			.use = { 1, 1 },
		};

		timeline_add(&job->timeline, &event, budget_timeline(jobs, job, ENTRIES_MAX));
	}
}

static void take_samples(struct jobs *jobs, struct job *job, uint64_t count)
{
	static const int64_t level[SERIES_LEVELS];
	__u64 use[ABI_USES_SENT];

	memcpy(use, job->series.total, sizeof(use));
	for (uint64_t i = 1; i <= count; i++) {
		use[USE_CPU] += 5;
		series_add(&job->series, (1 + i) * SECOND, use, level, budget_series(jobs, job));
	}
}

static size_t timeline_rooms(const struct jobs *jobs)
{
	size_t sum = 0;

	for (const struct job *job = jobs->first; job; job = job->next)
		sum += job->timeline.room;
	return sum;
}

static size_t series_rooms(const struct jobs *jobs)
{
	size_t sum = 0;

	for (const struct job *job = jobs->first; job; job = job->next)
		sum += job->series.room;
	return sum;
}

static void one_job_has_all_it_may_have(void **state)
{
	struct jobs jobs = { 0 };
	struct job *job = open_job(&jobs, 1);

	(void)state;
	end_images(&jobs, job, ENTRIES_MAX);
	assert_int_equal(job->timeline.count, ENTRIES_MAX);
	assert_int_equal(job->timeline.room, ENTRIES_MAX);
	take_samples(&jobs, job, SERIES_POINTS_MAX);
	assert_int_equal(job->series.count, SERIES_POINTS_MAX);
	end_images(&jobs, job, ENTRIES_MAX);
	take_samples(&jobs, job, SERIES_POINTS_MAX);
	assert_int_equal(job->timeline.room, ENTRIES_MAX);
	assert_int_equal(job->series.room, SERIES_POINTS_MAX);
	close_all(&jobs);
}

static void assert_exact(const struct job *job, uint64_t images, uint64_t samples)
{
	uint64_t runs = 0, cpu_ns = 0;

	for (size_t i = 0; i < job->timeline.count; i++) {
		runs += job->timeline.entries[i].count;
		cpu_ns += job->timeline.entries[i].use[USE_CPU];
	}
	assert_int_equal(runs, images);
	assert_int_equal(cpu_ns, images);
	cpu_ns = 0;
	for (size_t i = 0; i < job->series.count; i++)
		cpu_ns += job->series.points[i].use[USE_CPU];
	assert_int_equal(cpu_ns, samples * 5);
}

/* Each job fills its share before the next one comes. */
static void many_jobs_one_after_the_other_share(void **state)
{
	struct jobs jobs = { 0 };

	(void)state;
	for (uint32_t id = 1; id <= 256; id++) {
		struct job *job = open_job(&jobs, id);

		end_images(&jobs, job, 5000);
		take_samples(&jobs, job, 5000);
		assert_true(timeline_rooms(&jobs) <= BUDGET_TIMELINES);
		assert_true(series_rooms(&jobs) <= BUDGET_SERIES);
	}
	for (const struct job *job = jobs.first; job; job = job->next) {
		assert_exact(job, 5000, 5000);
		assert_true(job->timeline.count >= BUDGET_TIMELINES / 256 / 4);
		assert_true(job->series.count >= BUDGET_SERIES / 256 / 4);
		assert_int_equal(job->timeline.lost, 0);
	}
	close_all(&jobs);
}

static void while_there_is_room_no_job_is_cut_for_another(void **state)
{
	struct jobs jobs = { 0 };
	struct job *large = open_job(&jobs, 1);

	(void)state;
	end_images(&jobs, large, ENTRIES_MAX);
	take_samples(&jobs, large, SERIES_POINTS_MAX);
	for (uint32_t id = 2; id <= 256; id++) {
		struct job *small = open_job(&jobs, id);

		end_images(&jobs, small, 40);
		take_samples(&jobs, small, 40);
	}
	assert_int_equal(large->timeline.count, ENTRIES_MAX);
	assert_int_equal(large->series.count, SERIES_POINTS_MAX);
	close_all(&jobs);
}

static void a_user_with_many_jobs_leaves_another_his_share(void **state)
{
	struct jobs jobs = { 0 };
	struct job *other = users_job(&jobs, 1, 2);

	(void)state;
	for (uint32_t id = 2; id <= 101; id++) {
		struct job *job = users_job(&jobs, id, 1);

		end_images(&jobs, job, 5000);
		take_samples(&jobs, job, 5000);
	}
	assert_int_equal(jobs.user_count, 2);
	end_images(&jobs, other, ENTRIES_MAX);
	take_samples(&jobs, other, SERIES_POINTS_MAX);
	assert_int_equal(other->timeline.count, ENTRIES_MAX);
	assert_int_equal(other->series.count, SERIES_POINTS_MAX);
	for (const struct job *job = jobs.first; job; job = job->next) {
		if (job == other)
			continue;
		assert_exact(job, 5000, 5000);
		assert_true(job->timeline.count >= BUDGET_TIMELINES / 2 / 100 / 4);
		assert_true(job->series.count >= BUDGET_SERIES / 2 / 100 / 4);
	}
	assert_true(timeline_rooms(&jobs) <= BUDGET_TIMELINES);
	assert_true(series_rooms(&jobs) <= BUDGET_SERIES);
	jobs__remove(&jobs, other);
	assert_int_equal(jobs.user_count, 1);
	close_all(&jobs);
	assert_int_equal(jobs.user_count, 0);
	assert_null(jobs.users);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_job_has_all_it_may_have),
		cmocka_unit_test(many_jobs_one_after_the_other_share),
		cmocka_unit_test(while_there_is_room_no_job_is_cut_for_another),
		cmocka_unit_test(a_user_with_many_jobs_leaves_another_his_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
