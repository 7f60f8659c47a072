/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the next stintd gets what the last one saw of an open job, and nothing that is damaged. */
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

#include "collector/journal/handover.h"
#include "common/file.h"
#include "common/frame.h"

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
	return handover_prepare(run_fd, NULL);
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
	__u64 use[ABI_USES_SENT] = { 0 };

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
	job->memory = (struct memory_peaks){ 100 + to, 0, 200 + to, 300, 400 };
	job->steps_left_out = true;
	for (uint32_t id = 0; id < 3; id++)
		job__step(job, id)->memory = (struct memory_peaks){ to + id, 1, 2, 3, 4 };
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
	assert_memory_equal(&a->memory, &b->memory, sizeof(a->memory));
	assert_int_equal(a->steps_left_out, b->steps_left_out);
	assert_int_equal(a->step_count, b->step_count);
	for (uint32_t i = 0; i < a->step_count; i++)
		assert_memory_equal(&a->steps[i].memory, &b->steps[i].memory, sizeof(a->steps[i].memory));
}

static void the_next_one_goes_on_as_if_there_had_been_one(void **state)
{
	struct jobs jobs = { 0 };
	struct job *whole = job_of(&jobs, 1), *first = job_of(&jobs, 2), *next = job_of(&jobs, 2);

	(void)state;
	run(whole, 1, 50);
	run(whole, 51, 100);
	run(first, 1, 50);
	assert_int_equal(handover_write(run_fd, first, NULL), 0);
	for (uint32_t id = 0; id < 3; id++) /* the next stintd has them from the journal */
		job__step(next, id);
	assert_int_equal(handover_take(run_fd, next, NULL), LIVE_TAKEN);
	assert_same(first, next);
	run(next, 51, 100);
	assert_same(whole, next);
	assert_int_equal(handover_take(run_fd, next, NULL), LIVE_NONE);
	while (jobs.first)
		jobs__remove(&jobs, jobs.first);
}

/* Returns a job's handover file, or the content of its frame. *@size: its bytes */
static char *read_live(const char *name, size_t *size)
{
	char path[64];

	snprintf(path, sizeof(path), "live/%s", name);
	return file_read(run_fd, path, 1 << 20, size, NULL);
}

static void write_live(const char *name, const void *bytes, size_t size)
{
	int fd = openat(run_fd, "live", O_RDONLY | O_DIRECTORY);

	assert_int_equal(file_write(fd, name, 0600, bytes, size, NULL), 0);
	close(fd);
}

static void change_content(const char *name, void (*change)(char *content, size_t length))
{
	size_t size, length, new_size;
	char *file = read_live(name, &size), *content, *frame;

	assert_non_null(file);
	content = (char *)frame_content(file, size, FRAME_LIVE, name, &length, NULL);
	assert_non_null(content);
	change(content, length);
	frame = frame_make(FRAME_LIVE, content, length, &new_size);
	write_live(name, frame, new_size);
	free(frame);
	free(file);
}

static void swap_locks_and_pipes(char *content, size_t length)
{
	for (size_t i = 0; i + 8 <= length; i++) {
		if (memcmp(content + i, "lock_ns", 8) == 0)
			memcpy(content + i, "pipe_ns", 8);
		else if (memcmp(content + i, "pipe_ns", 8) == 0)
			memcpy(content + i, "lock_ns", 8);
	}
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
	assert_int_equal(handover_write(run_fd, first, NULL), 0);
	change_content("9", swap_locks_and_pipes);
	assert_int_equal(handover_take(run_fd, next, NULL), LIVE_TAKEN);
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
	assert_int_equal(handover_write(run_fd, first, NULL), 0);
	assert_int_equal(handover_take(run_fd, next, NULL), LIVE_TAKEN);
	assert_same(first, next);
	run(next, 1, 3);
	assert_int_equal(next->timeline.count, 3);
	while (jobs.first)
		jobs__remove(&jobs, jobs.first);
}

static void is_refused(struct job *job, const void *bytes, size_t size, const char *why)
{
	char name[32];
	struct error err = { "" };

	snprintf(name, sizeof(name), "%d", (int)job->key);
	write_live(name, bytes, size);
	assert_int_equal(handover_take(run_fd, job, &err), LIVE_REFUSED);
	assert_non_null(strstr(err.text, why));
	assert_int_equal(job->timeline.count, 0);
	assert_int_equal(job->series.count, 0);
	assert_int_equal(job->memory.used_bytes, -1);
	assert_int_equal(handover_take(run_fd, job, &err), LIVE_NONE);
}

static void what_is_damaged_cut_or_longer_is_refused(void **state)
{
	struct jobs jobs = { 0 };
	struct job *first = job_of(&jobs, 4), *next = job_of(&jobs, 4);
	char *whole, *longer;
	size_t size;

	(void)state;
	run(first, 1, 20);
	assert_int_equal(handover_write(run_fd, first, NULL), 0);
	whole = read_live("4", &size);
	assert_non_null(whole);
	is_refused(next, "", 0, "damaged");
	is_refused(next, whole, size - 1, "torn");
	is_refused(next, whole, size / 2, "torn");
	is_refused(next, whole, sizeof(struct frame_header) - 1, "damaged");
	longer = calloc(1, size + 1);
	memcpy(longer, whole, size);
	is_refused(next, longer, size + 1, "torn");
	for (size_t i = 0; i < size; i += i < 200 ? 1 : 97) {
		whole[i] ^= 1 << i % 8;
		is_refused(next, whole, size, "");
		whole[i] ^= 1 << i % 8;
	}
	write_live("4", whole, size);
	for (uint32_t id = 0; id < 3; id++)
		job__step(next, id);
	assert_int_equal(handover_take(run_fd, next, NULL), LIVE_TAKEN);
	assert_same(first, next);
	free(longer);
	free(whole);
	while (jobs.first)
		jobs__remove(&jobs, jobs.first);
}

static size_t changed_at;

static void change_number(char *content, size_t length)
{
	assert_true(changed_at < length);
	content[changed_at] ^= 0x40;
}

/* A whole handover of another build: 2 + 11 numbers in the head describe its structures. */
static void what_another_version_or_another_job_wrote_is_refused(void **state)
{
	struct jobs jobs = { 0 };
	struct job *first = job_of(&jobs, 4), *next = job_of(&jobs, 4), *other = job_of(&jobs, 5);
	struct error err = { "" };

	(void)state;
	run(first, 1, 20);
	assert_int_equal(handover_write(run_fd, first, NULL), 0);
	assert_int_equal(handover_take(run_fd, other, &err), LIVE_NONE);
	for (changed_at = 0; changed_at < 8 + 8 + 10 * 8; changed_at++) {
		assert_int_equal(handover_write(run_fd, first, NULL), 0);
		change_content("4", change_number);
		assert_int_equal(handover_take(run_fd, next, &err), LIVE_REFUSED);
		if (changed_at < 8)
			assert_string_equal(err.text, "live/4: another version of stint wrote it");
		assert_int_equal(next->timeline.count, 0);
	}
	assert_int_equal(handover_write(run_fd, first, NULL), 0);
	handover_clear(run_fd);
	assert_int_equal(handover_take(run_fd, next, &err), LIVE_NONE);
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
		TEST(what_is_damaged_cut_or_longer_is_refused),
		TEST(what_another_version_or_another_job_wrote_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
