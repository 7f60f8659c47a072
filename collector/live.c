/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/live.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/budget.h"
#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "collector/use.h"

#define DIRECTORY "live"
#define USE_NAME_BYTES 32

/* The four arrays stand behind it, in this order, whole structures as they are. */
struct head {
	uint64_t key;
	uint64_t bytes[4]; /* of one element, so that one of another build is not taken */
	uint64_t count[4];
	char uses[RECORD_USES_TOLD][USE_NAME_BYTES]; /* the sums that the arrays use[] hold, in their order */
	struct timeline timeline;
	struct series series;
	struct progress progress;
	struct ooms ooms;
	int64_t sampled_peak_bytes;
	int64_t swap_peak_bytes;
	int64_t charged_peak_bytes;
	int64_t limit_bytes;
};

struct array {
	const void *elements;
	size_t bytes; /* of one */
	size_t count;
	size_t max;
};

static void list_arrays(const struct job *job, struct array arrays[4])
{
	arrays[0] = (struct array){ job->timeline.entries, sizeof(*job->timeline.entries), job->timeline.count,
				    BUDGET_TIMELINES };
	arrays[1] = (struct array){ job->series.points, sizeof(*job->series.points), job->series.count,
				    SERIES_POINTS_MAX };
	arrays[2] = (struct array){ job->progress.stalls, sizeof(*job->progress.stalls), job->progress.stall_count,
				    PROGRESS_STALLS_MAX };
	arrays[3] = (struct array){ job->ooms.victims, sizeof(*job->ooms.victims), job->ooms.count, OOM_VICTIMS_MAX };
}

static int open_directory(int run_fd)
{
	return openat(run_fd, DIRECTORY, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int live_prepare(int run_fd, struct error *err)
{
	if (mkdirat(run_fd, DIRECTORY, 0700) < 0 && errno != EEXIST)
		return error_errno(err, DIRECTORY);
	return 0;
}

static void name_of(const struct job *job, char name[32])
{
	snprintf(name, 32, "%" PRIu64, job->key);
}

static struct head head_of(const struct job *job, const struct array arrays[4])
{
	struct head head = {
		.key = job->key,
		.timeline = job->timeline,
		.series = job->series,
		.progress = job->progress,
		.ooms = job->ooms,
		.sampled_peak_bytes = job->sampled_peak_bytes,
		.swap_peak_bytes = job->swap_peak_bytes,
		.charged_peak_bytes = job->charged_peak_bytes,
		.limit_bytes = job->limit_bytes,
	};

	for (int i = 0; i < 4; i++) {
		head.bytes[i] = arrays[i].bytes;
		head.count[i] = arrays[i].count;
	}
	for (int i = 0; i < RECORD_USES_TOLD; i++)
		snprintf(head.uses[i], USE_NAME_BYTES, "%s", use_name(i));
	return head;
}

int live_write(int run_fd, const struct job *job, struct error *err)
{
	cleanup_close int directory = open_directory(run_fd);
	size_t size = sizeof(struct head), at = size;
	cleanup_free char *data = NULL;
	struct array arrays[4];
	struct head head;
	char name[32];

	list_arrays(job, arrays);
	head = head_of(job, arrays);
	for (int i = 0; i < 4; i++)
		size += arrays[i].bytes * arrays[i].count;
	data = malloc(size);
	if (directory < 0 || !data)
		return error_errno(err, DIRECTORY);
	memcpy(data, &head, sizeof(head));
	for (int i = 0; i < 4; i++) {
		if (arrays[i].count)
			memcpy(data + at, arrays[i].elements, arrays[i].bytes * arrays[i].count);
		at += arrays[i].bytes * arrays[i].count;
	}
	name_of(job, name);
	return file_write(directory, name, 0600, data, size, err);
}

/* Whether @data is what one like us wrote of this job. */
static bool is_whole(const struct job *job, const char *data, size_t size)
{
	size_t expected = sizeof(struct head);
	struct array arrays[4];
	struct head head;

	if (size < sizeof(head))
		return false;
	memcpy(&head, data, sizeof(head));
	list_arrays(job, arrays);
	for (int i = 0; i < 4; i++) {
		if (head.bytes[i] != arrays[i].bytes || head.count[i] > arrays[i].max)
			return false;
		expected += head.bytes[i] * head.count[i];
	}
	return head.key == job->key && size == expected;
}

/* A copy of an array, with room for @room elements; NULL where there are none, or no memory. */
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

/* Another version may have the sums in another order. One that it had not is 0. */
static void order_uses(const struct head *head, __u64 use[RECORD_USES_TOLD])
{
	__u64 ours[RECORD_USES_TOLD] = {};

	for (int i = 0; i < RECORD_USES_TOLD; i++)
		for (int j = 0; j < RECORD_USES_TOLD; j++)
			if (strncmp(head->uses[j], use_name(i), USE_NAME_BYTES) == 0)
				ours[i] = use[j];
	memcpy(use, ours, sizeof(ours));
}

static void order_all_uses(const struct head *head, struct job *job)
{
	bool same = true;

	for (int i = 0; i < RECORD_USES_TOLD; i++)
		same &= strncmp(head->uses[i], use_name(i), USE_NAME_BYTES) == 0;
	if (same)
		return;
	for (size_t i = 0; i < job->timeline.count; i++)
		order_uses(head, job->timeline.entries[i].use);
	for (size_t i = 0; i < job->series.count; i++)
		order_uses(head, job->series.points[i].use);
	order_uses(head, job->series.total);
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
	job->timeline.entries = copy_array(&at, head.bytes[0], &head.count[0], head.count[0]);
	job->series.points = copy_array(&at, head.bytes[1], &head.count[1], head.count[1]);
	job->progress.stalls = copy_array(&at, head.bytes[2], &head.count[2], PROGRESS_STALLS_MAX);
	job->ooms.victims = copy_array(&at, head.bytes[3], &head.count[3], OOM_VICTIMS_MAX);
	job->timeline.count = job->timeline.room = head.count[0];
	job->series.count = job->series.room = head.count[1];
	job->progress.stall_count = head.count[2];
	job->ooms.count = head.count[3];
	job->sampled_peak_bytes = head.sampled_peak_bytes;
	job->swap_peak_bytes = head.swap_peak_bytes;
	job->charged_peak_bytes = head.charged_peak_bytes;
	job->limit_bytes = head.limit_bytes;
	order_all_uses(&head, job);
}

bool live_take(int run_fd, struct job *job)
{
	size_t max = sizeof(struct head), size = 0;
	cleanup_close int directory = open_directory(run_fd);
	cleanup_free char *data = NULL;
	struct array arrays[4];
	char name[32];

	if (directory < 0)
		return false;
	list_arrays(job, arrays);
	for (int i = 0; i < 4; i++)
		max += arrays[i].bytes * arrays[i].max;
	name_of(job, name);
	data = file_read(directory, name, max, &size, NULL);
	if (!data)
		return false;
	unlinkat(directory, name, 0);
	if (!is_whole(job, data, size))
		return false;
	take_over(job, data);
	return true;
}

void live_clear(int run_fd)
{
	int fd = open_directory(run_fd);
	cleanup_closedir DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			unlinkat(fd, entry->d_name, 0);
}
