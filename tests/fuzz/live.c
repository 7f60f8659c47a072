/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes what one stintd hands over to the next.
 * The input says how long the job was seen, and which bytes of its file are then changed.
 * The next stintd must be able to continue.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/journal/handover.h"
#include "common/file.h"
#include "common/frame.h"
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
	HOLDS(run_fd >= 0 && handover_prepare(run_fd, &err) == 0);
	return 0;
}

static void see(struct job *job, uint32_t from, uint32_t count)
{
	const int64_t level[SERIES_LEVELS] = { 4, 3, 2, 1 };
	__u64 use[ABI_USES_SENT] = { 0 };

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

/* Changes bytes within the frame: pairs of a place and a value, then perhaps the length. */
static void change(const uint8_t **data, size_t *size)
{
	size_t file_size, length, new_size;
	char *file = file_read(run_fd, "live/77", 1 << 24, &file_size, NULL);
	char *content = file ? (char *)frame_content(file, file_size, FRAME_LIVE, "77", &length, NULL) : NULL, *frame;
	int directory = openat(run_fd, "live", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	HOLDS(content && length > 0);
	while (*size > 2) {
		size_t at = fuzz_number(data, size, 2) % length;

		content[at] = (char)fuzz_number(data, size, 1);
	}
	if (*size)
		length -= fuzz_number(data, size, 1);
	frame = frame_make(FRAME_LIVE, content, length, &new_size);
	HOLDS(frame && file_write(directory, "77", 0600, frame, new_size, NULL) == 0);
	close(directory);
	free(frame);
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct control_message message;
	struct jobs jobs = { 0 };
	struct job *first = jobs__add(&jobs, &message), *next = jobs__add(&jobs, &message);
	uint32_t count = fuzz_number(&data, &size, 1);
	bool changed = size > 0;
	enum live taken;
	__u64 use[ABI_USES_SENT] = { 0 };
	struct error err;

	HOLDS(first && next);
	first->key = next->key = KEY;
	see(first, 0, count);
	HOLDS(handover_write(run_fd, first, &err) == 0);
	change(&data, &size);
	taken = handover_take(run_fd, next, &err);
	HOLDS(taken != LIVE_NONE);
	HOLDS(changed || (taken == LIVE_TAKEN && next->timeline.count == first->timeline.count &&
			  next->series.count == first->series.count));
	HOLDS(handover_take(run_fd, next, &err) == LIVE_NONE);
	see(next, count, 40);
	series_end(&next->series, 999 * SECOND, use);
	timeline_coalesce(&next->timeline, 4);
	HOLDS(next->timeline.count <= 4 && next->series.count <= SERIES_POINTS_MAX);
	while (jobs.first)
		jobs__remove(&jobs, jobs.first);
	return 0;
}
