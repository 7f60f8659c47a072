/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one stintd hands to the next. The input says how long the job has been
 * seen, and which bytes of its file are changed then; what is taken over can be gone on with.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/live.h"
#include "tests/fuzz/fuzz.h"

#define KEY 77
#define SECOND 1000000000ull

static int run_fd;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct error err;

	(void)argc;
	(void)argv;
	run_fd = open(fuzz_directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	HOLDS(run_fd >= 0 && live_prepare(run_fd, &err) == 0);
	return 0;
}

static void see(struct job *job, uint32_t from, uint32_t count)
{
	const int64_t level[SERIES_LEVELS] = { 4, 3, 2, 1 };
	__u64 use[RECORD_USES_TOLD] = { 0 };

	series_begin(&job->series, SECOND);
	for (uint32_t i = from; i < from + count; i++) {
		struct event event = { .kind = EVENT_IMAGE, .tool = i % 3, .pid = i, .start_ns = i * SECOND,
				       .end_ns = (i + 1) * SECOND, .quiet_ns = i * SECOND, .comm = "hog" };

		use[USE_CPU] = i * 5;
		timeline_add(&job->timeline, &event, 16);
		series_add(&job->series, (1 + i) * SECOND, use, level, 16);
		progress_image_ended(&job->progress, &event, 2 * SECOND);
		oom_add(&job->ooms, &event);
	}
}

/* Bytes of the file are changed: pairs of a place and a value; then perhaps its length. */
static void change(const uint8_t **data, size_t *size)
{
	int file = openat(run_fd, "live/77", O_RDWR | O_CLOEXEC);
	off_t length = lseek(file, 0, SEEK_END);

	HOLDS(file >= 0 && length > 0);
	while (*size > 2) {
		off_t at = (off_t)fuzz_number(data, size, 2) % length;
		uint8_t value = fuzz_number(data, size, 1);

		HOLDS(pwrite(file, &value, 1, at) == 1);
	}
	if (*size)
		HOLDS(ftruncate(file, length - (off_t)fuzz_number(data, size, 1)) == 0);
	close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct job *first = calloc(1, sizeof(*first)), *next = calloc(1, sizeof(*next));
	struct jobs jobs = { .first = first };
	uint32_t count = fuzz_number(&data, &size, 1);
	bool changed = size > 0, taken;
	__u64 use[RECORD_USES_TOLD] = { 0 };
	struct error err;

	HOLDS(first && next);
	first->next = next;
	first->key = next->key = KEY;
	first->reply_fd = next->reply_fd = -1;
	see(first, 0, count);
	HOLDS(live_write(run_fd, first, &err) == 0);
	change(&data, &size);
	taken = live_take(run_fd, next);
	HOLDS(changed || (taken && next->timeline.count == first->timeline.count &&
			  next->series.count == first->series.count));
	HOLDS(!live_take(run_fd, next));
	see(next, count, 40);
	series_end(&next->series, 999 * SECOND, use);
	timeline_coalesce(&next->timeline, 4);
	HOLDS(next->timeline.count <= 4 && next->series.count <= SERIES_POINTS_MAX);
	while (jobs.first)
		jobs__remove(&jobs, jobs.first);
	return 0;
}
