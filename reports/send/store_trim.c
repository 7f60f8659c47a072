/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/send/store_trim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/memory/array.h"

struct batch {
	struct timespec made;
	uint64_t bytes;
	char path[2 * NAME_MAX + 2]; /* below new/ */
};

struct batches {
	struct batch *list;
	size_t count;
	uint64_t bytes;
};

static int add(struct batches *batches, const char *place, const char *name, const struct stat *st)
{
	struct batch *batch;

	if (!array_room(&batches->list, batches->count, sizeof(*batches->list)))
		return -1;
	batch = &batches->list[batches->count++];
	*batch = (struct batch){ .made = st->st_mtim, .bytes = (uint64_t)st->st_size };
	snprintf(batch->path, sizeof(batch->path), "%s/%s", place, name);
	batches->bytes += batch->bytes;
	return 0;
}

static DIR *open_below(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;

	if (fd >= 0 && !directory)
		close(fd);
	return directory;
}

static int add_place(struct batches *batches, int new, const char *place)
{
	cleanup_closedir DIR *directory = open_below(new, place);
	const struct dirent *entry;
	struct stat st;

	while (directory && (entry = readdir(directory)))
		if (fstatat(dirfd(directory), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
		    add(batches, place, entry->d_name, &st) < 0)
			return -1;
	return 0;
}

static int oldest_first(const void *left, const void *right)
{
	const struct batch *a = left, *b = right;

	if (a->made.tv_sec != b->made.tv_sec)
		return a->made.tv_sec < b->made.tv_sec ? -1 : 1;
	if (a->made.tv_nsec != b->made.tv_nsec)
		return a->made.tv_nsec < b->made.tv_nsec ? -1 : 1;
	return strcmp(a->path, b->path);
}

int store_trim(int at, uint64_t max_bytes)
{
	cleanup_closedir DIR *new = open_below(at, "new");
	struct batches batches = { 0 };
	const struct dirent *entry;
	int removed = 0, result = 0;

	while (new && result == 0 && (entry = readdir(new)))
		if (entry->d_name[0] != '.')
			result = add_place(&batches, dirfd(new), entry->d_name);
	if (batches.count)
		qsort(batches.list, batches.count, sizeof(*batches.list), oldest_first);
	for (size_t i = 0; result == 0 && i < batches.count && batches.bytes > max_bytes; i++) {
		removed += unlinkat(dirfd(new), batches.list[i].path, 0) == 0;
		batches.bytes -= batches.list[i].bytes;
	}
	free(batches.list);
	return removed;
}
