/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one stintd has seen of an open job the next one has, too; and it takes nothing that is not whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/live.h"

#define SECOND 1000000000ull

static char run_dir[64];
static int run_fd;

static int set_up(void **state)
{
	(void)state;
	strcpy(run_dir, "/tmp/stint-live-XXXXXX");
	if (!mkdtemp(run_dir))
		return -1;
	run_fd = open(run_dir, O_RDONLY | O_DIRECTORY);
	return live_prepare(run_fd, NULL);
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	close(run_fd);
	snprintf(command, sizeof(command), "rm -r %s", run_dir);
	return system(command);
}

static struct job *job_of(struct jobs *jobs, uint64_t key)
{
	static struct control_message message;
	struct job *job;

	strcpy(message.node, "n1");
	job = jobs__add(jobs, &message);
	assert_non_null(job);
	job->key = key;
	return job;
}

static void run(struct job *job, uint32_t from, uint32_t to)
{
	static const int64_t level[SERIES_LEVELS] = { 7, 8, 9, 10 };
	__u64 use[RECORD_USES_TOLD] = { 0 };

	series_begin(&job->series, SECOND);
	for (uint32_t i = from; i <= to; i++) {
		struct event event = {
			.kind = EVENT_IMAGE,
			.tool = i,
			.pid = i,
			.start_ns = i * SECOND,
			.end_ns = (i + 1) * SECOND,
			.quiet_ns = i * SECOND,
			.comm = "hog",
		};

		use[USE_CPU] = i * 5;
		timeline_add(&job->timeline, &event, 4096);
		series_add(&job->series, (1 + i) * SECOND, use, level, 64);
		progress_image_ended(&job->progress, &event, 10 * SECOND);
		oom_add_uncounted(&job->ooms, &event);
	}
	job->progress.first_ns = 3;
	job->sampled_peak_bytes = 100 + to;
	job->swap_peak_bytes = 0;
}

static void assert_same(const struct job *a, const struct job *b)
{
	assert_int_equal(a->timeline.count, b->timeline.count);
	assert_memory_equal(a->timeline.entries, b->timeline.entries, a->timeline.count * sizeof(*a->timeline.entries));
	assert_int_equal(a->series.count, b->series.count);
	assert_int_equal(a->series.samples, b->series.samples);
	assert_memory_equal(a->series.points, b->series.points, a->series.count * sizeof(*a->series.points));
	assert_memory_equal(a->series.total, b->series.total, sizeof(a->series.total));
	assert_int_equal(a->progress.stall_count, b->progress.stall_count);
	assert_memory_equal(a->progress.stalls, b->progress.stalls,
			    a->progress.stall_count * sizeof(*a->progress.stalls));
	assert_int_equal(a->progress.first_ns, b->progress.first_ns);
	assert_int_equal(a->ooms.count, b->ooms.count);
	assert_int_equal(a->ooms.kills, b->ooms.kills);
	assert_int_equal(a->ooms.lost, b->ooms.lost);
	assert_memory_equal(a->ooms.victims, b->ooms.victims, a->ooms.count * sizeof(*a->ooms.victims));
	assert_int_equal(a->sampled_peak_bytes, b->sampled_peak_bytes);
	assert_int_equal(a->swap_peak_bytes, b->swap_peak_bytes);
}

static void the_next_one_goes_on_as_if_there_had_been_one(void **state)
{
	struct jobs jobs = { 0 };
	struct job *whole = job_of(&jobs, 1), *first = job_of(&jobs, 2), *next = job_of(&jobs, 2);

	(void)state;
	run(whole, 1, 50);
	run(whole, 51, 100);
	run(first, 1, 50);
	assert_int_equal(live_write(run_fd, first, NULL), 0);
	assert_true(live_take(run_fd, next));
	assert_same(first, next);
	run(next, 51, 100);
	assert_same(whole, next);
	assert_false(live_take(run_fd, next)); /* once */
	while (jobs.first)
		jobs__remove(&jobs, jobs.first);
}

/* Swaps two texts of one length wherever they stand in the only file of the directory. */
static void swap_in_file(const char *one, const char *other)
{
	char path[128], bytes[262144];
	size_t size, length = strlen(one) + 1;
	FILE *file;

	snprintf(path, sizeof(path), "%s/live/9", run_dir);
	file = fopen(path, "r+");
	assert_non_null(file);
	size = fread(bytes, 1, sizeof(bytes), file);
	for (size_t i = 0; i + length <= size; i++) {
		if (memcmp(bytes + i, one, length) == 0)
			memcpy(bytes + i, other, length);
		else if (memcmp(bytes + i, other, length) == 0)
			memcpy(bytes + i, one, length);
	}
	rewind(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* Another version of stint has the same sums in another order. */
static void sums_are_told_by_their_names(void **state)
{
	struct jobs jobs = { 0 };
	struct job *first = job_of(&jobs, 9), *next = job_of(&jobs, 9);
	struct event event = { .kind = EVENT_IMAGE, .tool = 1, .start_ns = SECOND, .end_ns = 2 * SECOND };
	static const int64_t level[SERIES_LEVELS];

	(void)state;
	event.use[USE_LOCK] = 17;
	event.use[USE_PIPE] = 4;
	timeline_add(&first->timeline, &event, 4096);
	series_begin(&first->series, SECOND);
	series_add(&first->series, 2 * SECOND, event.use, level, 64);
	assert_int_equal(live_write(run_fd, first, NULL), 0);
	swap_in_file("lock_ns", "pipe_ns");
	assert_true(live_take(run_fd, next));
	assert_int_equal(next->timeline.entries[0].use[USE_LOCK], 4);
	assert_int_equal(next->timeline.entries[0].use[USE_PIPE], 17);
	assert_int_equal(next->series.points[0].use[USE_LOCK], 4);
	assert_int_equal(next->series.total[USE_PIPE], 17);
	while (jobs.first)
		jobs__remove(&jobs, jobs.first);
}

static void of_a_job_that_did_nothing_nothing_is_taken_over(void **state)
{
	struct jobs jobs = { 0 };
	struct job *first = job_of(&jobs, 3), *next = job_of(&jobs, 3);

	(void)state;
	assert_int_equal(live_write(run_fd, first, NULL), 0);
	assert_true(live_take(run_fd, next));
	assert_same(first, next);
	run(next, 1, 3);
	assert_int_equal(next->timeline.count, 3);
	while (jobs.first)
		jobs__remove(&jobs, jobs.first);
}

static void spoil(const char *name, long offset, const char *bytes, size_t count)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/live/%s", run_dir, name);
	file = fopen(path, "r+");
	assert_non_null(file);
	fseek(file, offset, offset < 0 ? SEEK_END : SEEK_SET);
	if (offset < 0)
		assert_int_equal(ftruncate(fileno(file), ftell(file)), 0);
	fwrite(bytes, 1, count, file);
	fclose(file);
}

static void what_is_damaged_or_anothers_is_not_taken(void **state)
{
	static const char large[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
	struct jobs jobs = { 0 };
	struct job *first = job_of(&jobs, 4), *next = job_of(&jobs, 4), *other = job_of(&jobs, 5);

	(void)state;
	run(first, 1, 20);
	assert_int_equal(live_write(run_fd, first, NULL), 0);
	assert_false(live_take(run_fd, other));
	spoil("4", -1, "", 0);
	assert_false(live_take(run_fd, next));
	assert_int_equal(live_write(run_fd, first, NULL), 0);
	spoil("4", 8, large, 8); /* elements of another build's size */
	assert_false(live_take(run_fd, next));
	for (int i = 0; i < 4; i++) {
		assert_int_equal(live_write(run_fd, first, NULL), 0);
		spoil("4", 40 + 8 * i, large, 8); /* more elements than there can be */
		assert_false(live_take(run_fd, next));
	}
	assert_int_equal(live_write(run_fd, first, NULL), 0);
	spoil("4", 0, large, 8); /* another job's */
	assert_false(live_take(run_fd, next));
	assert_int_equal(next->timeline.count, 0);
	assert_int_equal(live_write(run_fd, first, NULL), 0);
	live_clear(run_fd);
	assert_false(live_take(run_fd, next));
	while (jobs.first)
		jobs__remove(&jobs, jobs.first);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_next_one_goes_on_as_if_there_had_been_one),
		TEST(sums_are_told_by_their_names),
		TEST(of_a_job_that_did_nothing_nothing_is_taken_over),
		TEST(what_is_damaged_or_anothers_is_not_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
