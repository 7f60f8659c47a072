/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/journal/handover.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/job/job_budget.h"
#include "collector/job/use.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/frame.h"

#define DIRECTORY "live"
#define USE_NAME_BYTES 32
#define LIVE_VERSION 2 /* increase if a field changes its meaning */

enum array_of {
	ENTRIES,
	POINTS,
	STALLS,
	VICTIMS,
	STEPS,
	ARRAYS
};

/* The first bytes of a handover. The arrays follow, in the order of enum array_of. */
struct head {
	uint32_t version;
	uint32_t layout; /* a handover with another layout is refused */
	uint64_t key;
	uint64_t bytes[ARRAYS]; /* of one element */
	uint64_t count[ARRAYS];
	/* Names of the sums in use[]. */
	char uses[ABI_USES_SENT][USE_NAME_BYTES];
	struct timeline timeline;
	struct series series;
	struct progress progress;
	struct ooms ooms;
	struct memory_peaks memory;
	uint64_t steps_left_out;
};

struct seen_step {
	uint64_t id;
	struct memory_peaks memory;
};

struct array {
	const void *elements;
	size_t bytes; /* of one element */
	size_t count;
	size_t max;
};

/* @steps: one for each step of @job; NULL: the caller needs only sizes and limits */
static void list_arrays(const struct job *job, const struct seen_step *steps, struct array arrays[ARRAYS])
{
	arrays[ENTRIES] = (struct array){ job->timeline.entries, sizeof(*job->timeline.entries), job->timeline.count,
					  BUDGET_TIMELINES };
	arrays[POINTS] = (struct array){ job->series.points, sizeof(*job->series.points), job->series.count,
					 SERIES_POINTS_MAX };
	arrays[STALLS] = (struct array){ job->progress.stalls, sizeof(*job->progress.stalls),
					 job->progress.stall_count, PROGRESS_STALLS_MAX };
	arrays[VICTIMS] = (struct array){ job->ooms.victims, sizeof(*job->ooms.victims), job->ooms.count,
					  OOM_VICTIMS_MAX };
	arrays[STEPS] = (struct array){ steps, sizeof(*steps), steps ? job->step_count : 0, JOB_STEPS_MAX };
}

/* Returns a number for the sizes of these structures and the offsets of their members. */
static uint32_t layout(void)
{
	static const size_t sizes[] = {
		ABI_USES_SENT,
		SERIES_LEVELS,
		sizeof(struct head),
		sizeof(struct timeline),
		sizeof(struct series),
		sizeof(struct progress),
		sizeof(struct ooms),
		sizeof(struct timeline_entry),
		offsetof(struct timeline_entry, use),
		sizeof(struct series_point),
		offsetof(struct series_point, level),
		sizeof(struct stall),
		offsetof(struct stall, pid),
		sizeof(struct oom_victim),
		offsetof(struct oom_victim, comm),
		sizeof(struct seen_step),
	};

	return frame_layout(sizes, sizeof(sizes) / sizeof(sizes[0]));
}

static struct seen_step *copy_steps(const struct job *job)
{
	struct seen_step *steps = job->step_count ? calloc(job->step_count, sizeof(*steps)) : NULL;

	for (uint32_t i = 0; steps && i < job->step_count; i++) {
		steps[i].id = job->steps[i].id;
		steps[i].memory = job->steps[i].memory;
	}
	return steps;
}

static int open_directory(int run_fd)
{
	return openat(run_fd, DIRECTORY, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int handover_prepare(int run_fd, struct error *err)
{
	if (mkdirat(run_fd, DIRECTORY, 0700) < 0 && errno != EEXIST)
		return error_errno(err, DIRECTORY);
	return 0;
}

static void name_of(const struct job *job, char name[32])
{
	snprintf(name, 32, "%" PRIu64, job->key);
}

static struct head head_of(const struct job *job, const struct array arrays[ARRAYS])
{
	struct head head = {
		.version = LIVE_VERSION,
		.layout = layout(),
		.key = job->key,
		.timeline = job->timeline,
		.series = job->series,
		.progress = job->progress,
		.ooms = job->ooms,
		.memory = job->memory,
		.steps_left_out = job->steps_left_out,
	};

	for (int i = 0; i < ARRAYS; i++) {
		head.bytes[i] = arrays[i].bytes;
		head.count[i] = arrays[i].count;
	}
	for (int i = 0; i < ABI_USES_SENT; i++)
		snprintf(head.uses[i], USE_NAME_BYTES, "%s", use_name(i));
	return head;
}

static char *put_together(const struct job *job, const struct array arrays[ARRAYS], size_t *size)
{
	struct head head = head_of(job, arrays);
	size_t at = sizeof(head);
	char *data;

	*size = at;
	for (int i = 0; i < ARRAYS; i++)
		*size += arrays[i].bytes * arrays[i].count;
	data = malloc(*size);
	if (!data)
		return NULL;
	memcpy(data, &head, sizeof(head));
	for (int i = 0; i < ARRAYS; i++) {
		if (arrays[i].count)
			memcpy(data + at, arrays[i].elements, arrays[i].bytes * arrays[i].count);
		at += arrays[i].bytes * arrays[i].count;
	}
	return data;
}

int handover_write(int run_fd, const struct job *job, struct error *err)
{
	cleanup_close int directory = open_directory(run_fd);
	cleanup_free struct seen_step *steps = copy_steps(job);
	cleanup_free char *data = NULL, *frame = NULL;
	struct array arrays[ARRAYS];
	size_t size, length;
	char name[32];

	if (directory < 0)
		return error_errno(err, DIRECTORY);
	list_arrays(job, steps, arrays);
	if (steps || !job->step_count)
		data = put_together(job, arrays, &length);
	frame = data ? frame_make(FRAME_LIVE, data, length, &size) : NULL;
	if (!frame)
		return error_set(err, DIRECTORY ": out of memory");
	name_of(job, name);
	return file_write_volatile(directory, name, 0600, frame, size, err);
}

static int check(const struct job *job, const char *name, const char *data, size_t size, struct error *err)
{
	size_t expected = sizeof(struct head);
	struct array arrays[ARRAYS];
	struct head head;

	if (size < sizeof(head))
		return error_set(err, DIRECTORY "/%s: another version of stint wrote it", name);
	memcpy(&head, data, sizeof(head));
	if (head.version != LIVE_VERSION || head.layout != layout())
		return error_set(err, DIRECTORY "/%s: another version of stint wrote it", name);
	if (head.key != job->key)
		return error_set(err, DIRECTORY "/%s: it belongs to another job", name);
	list_arrays(job, NULL, arrays);
	for (int i = 0; i < ARRAYS; i++) {
		if (head.bytes[i] != arrays[i].bytes || head.count[i] > arrays[i].max)
			return error_set(err, DIRECTORY "/%s: an array has the wrong element size or too many elements", name);
		expected += head.bytes[i] * head.count[i];
	}
	return size == expected ? 0 : error_set(err, DIRECTORY "/%s: its length is not the one that it states", name);
}

/*
 * Copies *@count elements into memory for @room elements, and moves *@at behind the array.
 * Returns NULL, with *@count 0, if there is nothing to copy or no memory.
 */
static void *copy_array(const char **at, size_t bytes, uint64_t *count, size_t room)
{
	char *copy = *count ? calloc(room, bytes) : NULL;

	if (copy)
		memcpy(copy, *at, bytes * *count);
	*at += bytes * *count;
	if (!copy)
		*count = 0;
	return copy;
}

/* Another version may have had other sums, in another order. A missing sum becomes 0. */
static void order_uses(const struct head *head, __u64 use[ABI_USES_SENT])
{
	__u64 ours[ABI_USES_SENT] = {};

	for (int i = 0; i < ABI_USES_SENT; i++)
		for (int j = 0; j < ABI_USES_SENT; j++)
			if (strncmp(head->uses[j], use_name(i), USE_NAME_BYTES) == 0)
				ours[i] = use[j];
	memcpy(use, ours, sizeof(ours));
}

static void order_all_uses(const struct head *head, struct job *job)
{
	bool same = true;

	for (int i = 0; i < ABI_USES_SENT; i++)
		same &= strncmp(head->uses[i], use_name(i), USE_NAME_BYTES) == 0;
	if (same)
		return;
	for (size_t i = 0; i < job->timeline.count; i++)
		order_uses(head, job->timeline.entries[i].use);
	for (size_t i = 0; i < job->series.count; i++)
		order_uses(head, job->series.points[i].use);
	order_uses(head, job->series.total);
}

/* Ignores unknown steps. The job's own peaks include the peaks of these steps. */
static void take_steps(struct job *job, const char *at, uint64_t count)
{
	struct seen_step seen;

	for (uint64_t i = 0; i < count; i++) {
		memcpy(&seen, at + i * sizeof(seen), sizeof(seen));
		for (uint32_t s = 0; s < job->step_count; s++)
			if (job->steps[s].id == seen.id)
				job->steps[s].memory = seen.memory;
	}
}

static void take_over(struct job *job, const char *data)
{
	const char *at = data + sizeof(struct head);
	struct head head;

	memcpy(&head, data, sizeof(head));
	timeline_free(&job->timeline);
	series_free(&job->series);
	progress_free(&job->progress);
	oom_free(&job->ooms);
	job->timeline = head.timeline;
	job->series = head.series;
	job->progress = head.progress;
	job->ooms = head.ooms;
	job->timeline.entries = copy_array(&at, head.bytes[ENTRIES], &head.count[ENTRIES], head.count[ENTRIES]);
	job->series.points = copy_array(&at, head.bytes[POINTS], &head.count[POINTS], head.count[POINTS]);
	job->progress.stalls = copy_array(&at, head.bytes[STALLS], &head.count[STALLS], PROGRESS_STALLS_MAX);
	job->ooms.victims = copy_array(&at, head.bytes[VICTIMS], &head.count[VICTIMS], OOM_VICTIMS_MAX);
	job->timeline.count = job->timeline.room = head.count[ENTRIES];
	job->series.count = job->series.room = head.count[POINTS];
	job->progress.stall_count = head.count[STALLS];
	job->ooms.count = head.count[VICTIMS];
	job->memory = head.memory;
	job->steps_left_out = head.steps_left_out;
	take_steps(job, at, head.count[STEPS]);
	order_all_uses(&head, job);
}

enum live handover_take(int run_fd, struct job *job, struct error *err)
{
	size_t max = sizeof(struct frame_header) + sizeof(struct head), size = 0, length = 0;
	cleanup_close int directory = open_directory(run_fd);
	cleanup_free char *data = NULL;
	struct array arrays[ARRAYS];
	const char *content;
	char name[32];

	list_arrays(job, NULL, arrays);
	for (int i = 0; i < ARRAYS; i++)
		max += arrays[i].bytes * arrays[i].max;
	name_of(job, name);
	errno = 0;
	data = directory < 0 ? NULL : file_read(directory, name, max, &size, err);
	if (!data)
		return directory < 0 || errno == ENOENT ? LIVE_NONE : LIVE_REFUSED;
	unlinkat(directory, name, 0);
	content = frame_content(data, size, FRAME_LIVE, name, &length, err);
	if (!content || check(job, name, content, length, err) < 0)
		return LIVE_REFUSED;
	take_over(job, content);
	return LIVE_TAKEN;
}

void handover_clear(int run_fd)
{
	int fd = open_directory(run_fd);
	cleanup_closedir DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			unlinkat(fd, entry->d_name, 0);
}
