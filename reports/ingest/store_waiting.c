/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/store_waiting.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/files/reach.h"
#include "reports/ingest/batch.h"
#include "reports/ingest/site_conf.h"

#define HASH_DIRECTORIES 256

typedef void each_batch(void *context, int dirfd, const char *name, const struct stat *st);

static void read_names(DIR *directory, each_batch *each, void *context)
{
	const struct dirent *entry;
	struct stat st;

	while ((entry = readdir(directory)))
		if (batch_name_good(entry->d_name) && fstatat(dirfd(directory), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			each(context, dirfd(directory), entry->d_name, &st);
}

static int walk(const char *store_dir, each_batch *each, void *context, struct error *err)
{
	char path[PATH_MAX + 8];
	cleanup_close int new = -1;

	snprintf(path, sizeof(path), "%s/new", store_dir);
	new = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (new < 0)
		return errno == ENOENT && access(store_dir, F_OK) == 0 ? 0 : error_errno(err, "%s", path);
	for (int i = 0; i < HASH_DIRECTORIES; i++) {
		cleanup_closedir DIR *directory = NULL;
		char name[4];
		int fd;

		snprintf(name, sizeof(name), "%02x", i);
		fd = openat(new, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		directory = fd < 0 ? NULL : fdopendir(fd);
		if (fd >= 0 && !directory)
			close(fd);
		if (directory)
			read_names(directory, each, context);
		else if (errno != ENOENT)
			return error_errno(err, "%s/%s", path, name);
	}
	return 0;
}

static int64_t written_us(const struct stat *st)
{
	return st->st_mtim.tv_sec * US_PER_S + st->st_mtim.tv_nsec / 1000;
}

static void count(void *context, int dirfd, const char *name, const struct stat *st)
{
	struct store_waiting *waiting = context;
	int64_t us = written_us(st);

	(void)dirfd;
	(void)name;
	waiting->count++;
	waiting->bytes += st->st_size;
	if (!waiting->oldest_us || us < waiting->oldest_us)
		waiting->oldest_us = us;
}

int store_waiting_count(const char *store_dir, struct store_waiting *waiting, struct error *err)
{
	*waiting = (struct store_waiting){ 0 };
	return walk(store_dir, count, waiting, err);
}

int64_t store_waiting_soon(const char *store_dir)
{
	char pattern[PATH_MAX + 32];
	struct reach reach = REACH_NONE;
	struct reach_paths paths = { 0 };
	int64_t waiting = -1;

	if (strpbrk(store_dir, "*?[\\"))
		return -1;
	snprintf(pattern, sizeof(pattern), "%s/new/[0-9a-f][0-9a-f]/*.ndjson", store_dir);
	reach_guard(&reach);
	if (reach_glob(pattern, &paths) == 0 && paths.count)
		waiting = (int64_t)paths.count;
	reach_free(&paths);
	reach_end(&reach);
	return waiting;
}

/* reading all files would take long */
#define READ_MOST 20

static void judge(void *context, int dirfd, const char *name, const struct stat *st)
{
	struct store_refusals *refusals = context;
	struct batch batch;
	struct error why;

	if (written_us(st) >= refusals->before_us)
		return;
	refusals->count++;
	if (refusals->first.text[0] || refusals->count > READ_MOST ||
	    batch_read(dirfd, name, refusals->owner, &batch, &refusals->first) < 0)
		return;
	if (!site_conf_takes(refusals->conf, batch.cluster, &why))
		error_set(&refusals->first, "%s: %.300s", name, why.text);
	batch_free(&batch);
}

int store_waiting_refused(const char *store_dir, struct store_refusals *refusals, struct error *err)
{
	refusals->count = 0;
	refusals->first.text[0] = '\0';
	return walk(store_dir, judge, refusals, err);
}
