/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "collector/common/frame.h"
#include "collector/log.h"

#define RESERVE (SPOOL_PLACES - 1)
#define TEMPORARY_MAX_S 3600 /* an older one was left by a crash */
#define FRAME_BYTES_MAX (1ul << 30)

struct entry {
	char name[NAME_MAX + 1];
	int place;
	int64_t made_s;
	uint64_t bytes;
	bool gone;
};

struct list {
	struct entry *entries;
	size_t count;
	size_t room;
};

/* ---- places ---- */

static int open_place(struct spool_place *place, struct error *err)
{
	place->fd = file_open_own_directory(place->path, err);
	if (place->fd < 0)
		return -1;
	if (mkdirat(place->fd, SPOOL_DAMAGED, 0700) < 0 && errno != EEXIST && errno != EROFS && errno != ENOSPC &&
	    errno != EDQUOT)
		return error_errno(err, "%s/" SPOOL_DAMAGED, place->path);
	return 0;
}

int spool_open(struct spool *spool, const struct conf *conf, int run_fd, struct error *err)
{
	struct error why;

	memset(spool, 0, sizeof(*spool));
	spool->places[0].fd = spool->places[RESERVE].fd = -1;
	spool->max_age_s = conf->spool_max_age_h * UINT64_C(3600);
	spool->max_bytes = (uint64_t)conf->spool_max_mb << 20;
	spool->counts = mmap(NULL, sizeof(*spool->counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (spool->counts == MAP_FAILED)
		return error_errno(err, "the spool");
	snprintf(spool->places[0].path, sizeof(spool->places->path), "%s", conf->spool_dir);
	snprintf(spool->places[RESERVE].path, sizeof(spool->places->path), "%s/" SPOOL_RESERVE, conf->run_dir);
	if (mkdirat(run_fd, SPOOL_RESERVE, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "%s", spool->places[RESERVE].path);
	if (open_place(&spool->places[RESERVE], err) < 0)
		return -1;
	err->text[0] = '\0';
	if (open_place(&spool->places[0], &why) == 0)
		return 0;
	*err = why;
	/* One that others can write is not to be used at all; one that is not there may come back. */
	return errno == EPERM ? -1 : 0;
}

/* A spool_dir that could not be opened at the start, was removed or mounted over since, is looked for again. */
static void reopen(struct spool *spool)
{
	struct spool_place *place = &spool->places[0];
	struct stat named, opened;

	if (place->fd >= 0 && fstat(place->fd, &opened) == 0 && stat(place->path, &named) == 0 &&
	    named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
		return;
	if (place->fd >= 0)
		close(place->fd);
	open_place(place, NULL);
}

/* ---- what is there ---- */

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), tail = strlen(end);

	return length > tail && strcmp(name + length - tail, end) == 0;
}

static bool is_record(const char *name)
{
	return name[0] != '.' && ends_with(name, SPOOL_SUFFIX);
}

static void add_entry(struct list *list, int place, const char *name, const struct stat *st)
{
	struct entry *entry;

	if (list->count == list->room) {
		size_t room = list->room ? 2 * list->room : 16;
		struct entry *more = realloc(list->entries, room * sizeof(*more));

		if (!more)
			return; /* the next pass has it */
		list->entries = more;
		list->room = room;
	}
	entry = &list->entries[list->count++];
	*entry = (struct entry){ .place = place, .made_s = st->st_mtime, .bytes = st->st_size };
	snprintf(entry->name, sizeof(entry->name), "%s", name);
}

static void list_directory(int fd, int place, struct list *list)
{
	int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_closedir DIR *directory = own >= 0 ? fdopendir(own) : NULL;
	struct dirent *entry;
	struct stat st;

	while (directory && (entry = readdir(directory)))
		if (is_record(entry->d_name) && fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode))
			add_entry(list, place, entry->d_name, &st);
}

static int oldest_first(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->made_s != b->made_s)
		return a->made_s < b->made_s ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void list_records(const struct spool *spool, struct list *list)
{
	for (int i = 0; i < SPOOL_PLACES; i++)
		if (spool->places[i].fd >= 0)
			list_directory(spool->places[i].fd, i, list);
	if (list->count)
		qsort(list->entries, list->count, sizeof(*list->entries), oldest_first);
}

static void list_damaged(const struct spool_place *place, struct list *list)
{
	cleanup_close int fd =
		place->fd < 0 ? -1 : openat(place->fd, SPOOL_DAMAGED, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0)
		list_directory(fd, 0, list);
	if (list->count)
		qsort(list->entries, list->count, sizeof(*list->entries), oldest_first);
}

void spool_look(const struct spool *spool, struct spool_state *state)
{
	struct list list = {};

	memset(state, 0, sizeof(*state));
	list_records(spool, &list);
	state->records = list.count;
	for (size_t i = 0; i < list.count; i++)
		state->bytes += list.entries[i].bytes;
	if (list.count)
		state->oldest_unix_s = list.entries[0].made_s;
	for (int i = 0; i < SPOOL_PLACES; i++) {
		list.count = 0;
		list_damaged(&spool->places[i], &list);
		state->damaged += list.count;
	}
	free(list.entries);
}

/* ---- one record ---- */

static uint64_t bytes_in(const struct spool_place *place)
{
	struct list list = {};
	uint64_t sum = 0;

	list_directory(place->fd, 0, &list);
	for (size_t i = 0; i < list.count; i++)
		sum += list.entries[i].bytes;
	free(list.entries);
	return sum;
}

static int put_at(const struct spool_place *place, const char *name, const void *frame, size_t size, struct error *err)
{
	struct error why;

	if (place->fd < 0) {
		errno = ENOENT;
		return error_errno(err, "%s", place->path);
	}
	if (file_write(place->fd, name, 0600, frame, size, &why) == 0)
		return 0;
	return error_set(err, "%.400s/%s", place->path, why.text);
}

/* Memory is not the place for much. */
static int put_in_reserve(const struct spool_place *place, const char *name, const void *frame, size_t size)
{
	if (size > SPOOL_RESERVE_MAX || bytes_in(place) > SPOOL_RESERVE_MAX - size)
		return -1;
	return put_at(place, name, frame, size, NULL);
}

int spool_put(struct spool *spool, const char *name, const char *text, size_t length, struct error *err)
{
	size_t size;
	cleanup_free char *frame = frame_make(FRAME_RECORD, text, length, &size);

	if (!frame)
		return error_set(err, "out of memory");
	err->text[0] = '\0';
	reopen(spool);
	if (put_at(&spool->places[0], name, frame, size, err) == 0)
		return 0;
	return put_in_reserve(&spool->places[RESERVE], name, frame, size);
}

bool spool_find(const struct spool *spool, const char *name, char path[PATH_MAX])
{
	for (int i = 0; i < SPOOL_PLACES; i++) {
		const struct spool_place *place = &spool->places[i];

		if (place->fd < 0 || faccessat(place->fd, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		return snprintf(path, PATH_MAX, "%s/%s", place->path, name) < PATH_MAX;
	}
	return false;
}

void spool_remove(struct spool *spool, const char *name)
{
	for (int i = 0; i < SPOOL_PLACES; i++)
		if (spool->places[i].fd >= 0)
			unlinkat(spool->places[i].fd, name, 0);
}

static void keep_the_last_damaged(const struct spool_place *place)
{
	struct list list = {};
	char path[NAME_MAX + sizeof(SPOOL_DAMAGED) + 2];

	list_damaged(place, &list);
	for (size_t i = 0; i + SPOOL_DAMAGED_MAX < list.count; i++) {
		snprintf(path, sizeof(path), SPOOL_DAMAGED "/%s", list.entries[i].name);
		unlinkat(place->fd, path, 0);
	}
	free(list.entries);
}

void spool_set_aside(struct spool *spool, const char *name)
{
	char aside[NAME_MAX + sizeof(SPOOL_DAMAGED) + 2];

	snprintf(aside, sizeof(aside), SPOOL_DAMAGED "/%s", name);
	for (int i = 0; i < SPOOL_PLACES; i++) {
		const struct spool_place *place = &spool->places[i];

		if (place->fd < 0 || faccessat(place->fd, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		mkdirat(place->fd, SPOOL_DAMAGED, 0700); /* a disk that was full at the start has none yet */
		if (renameat(place->fd, name, place->fd, aside) < 0) {
			collector_log("%s/%s is damaged and cannot be set aside: %s", place->path, name,
				      strerror(errno));
			continue;
		}
		__atomic_fetch_add(&spool->counts->set_aside, 1, __ATOMIC_RELAXED);
		collector_log_each("%s/%s is damaged: it was set aside in %s/" SPOOL_DAMAGED, place->path, name,
				   place->path);
		keep_the_last_damaged(place);
	}
}

/* ---- a pass ---- */

/* How many tries a record of this age should have had: after 1, 2, 4, ... 32 minutes, then each hour. */
static int64_t tries_by(int64_t age_s)
{
	int64_t tries = 0;

	if (age_s >= 3600)
		return 6 + age_s / 3600;
	for (int64_t at = 60; at <= age_s; at *= 2)
		tries++;
	return tries;
}

static bool is_due(const struct spool *spool, const struct entry *entry, int64_t now_s)
{
	/* The clock was set back: until it is where it was, no age tells anything. */
	if (entry->made_s > now_s)
		return true;
	return !spool->last_pass_s || tries_by(now_s - entry->made_s) != tries_by(spool->last_pass_s - entry->made_s);
}

bool spool_due(const struct spool *spool, int64_t now_s)
{
	struct list list = {};
	bool due = false;

	list_records(spool, &list);
	for (size_t i = 0; i < list.count && !due; i++)
		due = is_due(spool, &list.entries[i], now_s);
	free(list.entries);
	return due;
}

static void give_up(struct spool *spool, struct entry *entry, const char *why)
{
	const struct spool_place *place = &spool->places[entry->place];

	if (unlinkat(place->fd, entry->name, 0) < 0)
		return;
	entry->gone = true;
	__atomic_fetch_add(&spool->counts->given_up, 1, __ATOMIC_RELAXED);
	collector_log_each("%s/%s is given up, and its report with it: %s", place->path, entry->name, why);
}

/* What memory holds goes to the disk as soon as that can be written again. */
static void leave_reserve(struct spool *spool, struct entry *entry)
{
	const struct timespec made[2] = { { .tv_sec = entry->made_s }, { .tv_sec = entry->made_s } };
	size_t size;
	cleanup_free char *frame = file_read(spool->places[RESERVE].fd, entry->name, FRAME_BYTES_MAX, &size, NULL);

	if (!frame || put_at(&spool->places[0], entry->name, frame, size, NULL) < 0)
		return;
	utimensat(spool->places[0].fd, entry->name, made, 0); /* it is no younger for that */
	unlinkat(spool->places[RESERVE].fd, entry->name, 0);
	entry->place = 0;
}

static void judge(struct spool *spool, struct entry *entry, enum spool_try result, int64_t now_s)
{
	if (result == SPOOL_DELIVERED)
		unlinkat(spool->places[entry->place].fd, entry->name, 0);
	else if (result == SPOOL_DAMAGE)
		spool_set_aside(spool, entry->name);
	else if (now_s - entry->made_s > (int64_t)spool->max_age_s)
		give_up(spool, entry, "it could not be delivered for as long as spool_max_age_h allows");
	if (result != SPOOL_LATER)
		entry->gone = true;
	if (!entry->gone && entry->place == RESERVE)
		leave_reserve(spool, entry);
}

static void give_up_the_oldest(struct spool *spool, struct list *list)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < list->count; i++)
		bytes += list->entries[i].gone ? 0 : list->entries[i].bytes;
	for (size_t i = 0; i < list->count && bytes > spool->max_bytes; i++) {
		struct entry *entry = &list->entries[i];

		if (entry->gone)
			continue;
		give_up(spool, entry, "the spool holds more than spool_max_mb, and this was the oldest");
		bytes -= entry->gone ? entry->bytes : 0;
	}
}

static void remove_temporary(const struct spool_place *place, int64_t now_s)
{
	int fd = place->fd < 0 ? -1 : openat(place->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_closedir DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	struct stat st;

	while (directory && (entry = readdir(directory)))
		if (strncmp(entry->d_name, ".stint-", 7) == 0 && ends_with(entry->d_name, ".tmp") &&
		    fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && now_s - st.st_mtime > TEMPORARY_MAX_S)
			unlinkat(fd, entry->d_name, 0);
}

void spool_pass(struct spool *spool, int64_t now_s, bool (*busy)(const char *name, void *data),
		enum spool_try (*try_one)(const char *name, const char *path, void *data), void *data)
{
	struct list list = {};
	char path[PATH_MAX];

	reopen(spool);
	list_records(spool, &list);
	for (size_t i = 0; i < list.count; i++) {
		struct entry *entry = &list.entries[i];

		if (busy(entry->name, data)) {
			entry->gone = true; /* for this pass */
			continue;
		}
		if (!is_due(spool, entry, now_s) ||
		    snprintf(path, sizeof(path), "%s/%s", spool->places[entry->place].path, entry->name) >= PATH_MAX)
			continue;
		judge(spool, entry, try_one(entry->name, path, data), now_s);
	}
	give_up_the_oldest(spool, &list);
	free(list.entries);
	for (int i = 0; i < SPOOL_PLACES; i++)
		remove_temporary(&spool->places[i], now_s);
}
