/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/memory/array.h"
#include "reports/store/store_backlog_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/suffix.h"
#include "common/time_text.h"

#define MARK "user.stint.store_line" /* extended attribute of a record's file; the value is the revision of the line that was
				      * put into the backlog */
#define LOCK_STEP_US 20000

/* ---- the directories ---- */

static int open_folder(int fd, const char *name)
{
	if (mkdirat(fd, name, 0700) < 0 && errno != EEXIST)
		return -1;
	return openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int store_backlog_open(struct store_backlog *backlog, const char *spool_dir, struct error *err)
{
	memset(backlog, 0, sizeof(*backlog));
	backlog->lines_fd = backlog->taken_fd = backlog->batches_fd = -1;
	snprintf(backlog->path, sizeof(backlog->path), "%s/" STORE_BACKLOG, spool_dir);
	backlog->fd = file_open_own_directory(backlog->path, err);
	if (backlog->fd < 0)
		return -1;
	backlog->lines_fd = open_folder(backlog->fd, STORE_BACKLOG_LINES);
	backlog->taken_fd = backlog->lines_fd < 0 ? -1 : open_folder(backlog->fd, STORE_BACKLOG_TAKEN);
	backlog->batches_fd = backlog->taken_fd < 0 ? -1 : open_folder(backlog->fd, STORE_BACKLOG_BATCHES);
	if (backlog->batches_fd >= 0)
		return 0;
	error_errno(err, "%s", backlog->path);
	store_backlog_close(backlog);
	return -1;
}

void store_backlog_close(struct store_backlog *backlog)
{
	int *fds[] = { &backlog->fd, &backlog->lines_fd, &backlog->taken_fd, &backlog->batches_fd };
	int saved = errno;

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
	errno = saved;
}

int store_backlog_lock(const struct store_backlog *backlog, const char *name, int wait_ms, struct error *err)
{
	int64_t end_ms = clock_ms() + wait_ms;
	int fd = openat(backlog->fd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return error_errno(err, "%s/%s", backlog->path, name);
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK && clock_ms() < end_ms) {
			usleep(LOCK_STEP_US);
			continue;
		}
		error_errno(err, "%s/%s", backlog->path, name);
		cleanup_closep(&fd);
		errno = EWOULDBLOCK;
		return -1;
	}
	return fd;
}

/* ---- lists of files ---- */

void store_files_free(struct store_files *files)
{
	free(files->files);
	memset(files, 0, sizeof(*files));
}

static int oldest_first(const void *left, const void *right)
{
	const struct store_file *a = left, *b = right;

	if (a->made_ns != b->made_ns)
		return a->made_ns < b->made_ns ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int by_user(const void *left, const void *right)
{
	const struct store_file *a = left, *b = right;

	if (a->uid != b->uid)
		return a->uid < b->uid ? -1 : 1;
	return oldest_first(left, right);
}

void store_files_by_user(struct store_files *files)
{
	if (files->count)
		qsort(files->files, files->count, sizeof(*files->files), by_user);
}

/*
 * Finds the user in the file name JOB.ATTEMPT.HASH.uUID or NODE.BOOT.SEQUENCE.uUID.ndjson. Returns the dot before the
 * user; NULL if the name has no user.
 */
static const char *find_user(const char *name, uint32_t *uid)
{
	const char *at = NULL, *next = name;
	int end = 0;

	while ((next = strstr(next, STORE_USER)))
		at = next++;
	if (!at || sscanf(at, STORE_USER "%" SCNu32 "%n", uid, &end) != 1)
		return NULL;
	return !at[end] || strncmp(at + end, STORE_BATCH_SUFFIX, strlen(STORE_BATCH_SUFFIX)) == 0 ? at : NULL;
}

void store_backlog_batch_name(const char *file, char name[NAME_MAX + 1])
{
	uint32_t uid;
	const char *user = find_user(file, &uid);

	if (user)
		snprintf(name, NAME_MAX + 1, "%.*s" STORE_BATCH_SUFFIX, (int)(user - file), file);
	else
		snprintf(name, NAME_MAX + 1, "%s", file);
}

static int add_file(struct store_files *files, const char *name, const struct stat *st)
{
	struct store_file *file;

	if (!array_room(&files->files, files->count, sizeof(*files->files)))
		return -1;
	file = &files->files[files->count++];
	*file = (struct store_file){
		.made_ns = st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec,
		.bytes = (uint64_t)st->st_size,
	};
	snprintf(file->name, sizeof(file->name), "%s", name);
	if (!find_user(name, &file->uid))
		file->uid = STORE_BACKLOG_NO_USER;
	return 0;
}

int store_files_list(int fd, const char *suffix, struct store_files *files, struct error *err)
{
	int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_closedir DIR *directory = own >= 0 ? fdopendir(own) : NULL;
	const struct dirent *entry;
	struct stat st;

	memset(files, 0, sizeof(*files));
	if (!directory)
		return error_errno(err, "the store's backlog");
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.' || !has_suffix(entry->d_name, suffix) ||
		    fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
			continue;
		if (add_file(files, entry->d_name, &st) < 0)
			return error_set(err, "out of memory");
	}
	if (files->count)
		qsort(files->files, files->count, sizeof(*files->files), oldest_first);
	return 0;
}

void store_backlog_count(const struct store_backlog *backlog, struct store_backlog_counts *counts)
{
	const int fds[] = { backlog->lines_fd, backlog->taken_fd, backlog->batches_fd };

	memset(counts, 0, sizeof(*counts));
	counts->dropped = backlog->state.dropped;
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		cleanup_files struct store_files files = { 0 };

		store_files_list(fds[i], "", &files, NULL);
		for (size_t at = 0; at < files.count; at++)
			counts->bytes += files.files[at].bytes;
		*(i < 2 ? &counts->lines : &counts->batches) += files.count;
	}
}

int store_backlog_oldest(const struct store_backlog *backlog, char file[NAME_MAX + 1], struct error *err)
{
	cleanup_files struct store_files files = { 0 };

	if (store_files_list(backlog->batches_fd, STORE_BATCH_SUFFIX, &files, err) < 0)
		return -1;
	if (!files.count)
		return 0;
	snprintf(file, NAME_MAX + 1, "%s", files.files[0].name);
	return 1;
}

int store_backlog_open_batch(const struct store_backlog *backlog, const char *file, struct error *err)
{
	return file_open_plain(backlog->batches_fd, file, O_NOFOLLOW, err);
}

int store_backlog_remove(const struct store_backlog *backlog, const char *file, struct error *err)
{
	return unlinkat(backlog->batches_fd, file, 0) < 0 ? error_errno(err, "%s", file) : 0;
}

void store_backlog_tidy(const struct store_backlog *backlog, unsigned int age_s)
{
	int own = openat(backlog->lines_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_closedir DIR *directory = own >= 0 ? fdopendir(own) : NULL;
	const struct dirent *entry;
	struct stat st;

	while (directory && (entry = readdir(directory)))
		if (entry->d_name[0] == '.' && fstatat(own, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
		    time(NULL) - st.st_mtime > (int64_t)age_s)
			unlinkat(own, entry->d_name, 0);
}

/* ---- adding a line ---- */

/* Adds a text and its NUL to an FNV-1a hash. */
static uint64_t hash(uint64_t value, const char *text)
{
	do
		value = (value ^ (unsigned char)*text) * UINT64_C(1099511628211);
	while (*text++);
	return value;
}

/*
 * Makes the file name of a line. A dot at the begin of the name means that the line is not in the backlog yet. All
 * lines of one record have the same name.
 *
 * The closing time is part of the name, because another job can get the same id if slurmctld's state was lost. A record
 * that is closed twice has two lines, and the store takes the higher revision.
 */
static int name_line(const struct record *record, char name[STORE_BACKLOG_NAME], struct error *err)
{
	struct record_identity identity;
	const char *cluster = record->identity.cluster;
	int64_t uid = STORE_BACKLOG_NO_USER, closed_ns = 0;
	uint64_t sum;
	char closed[24];

	if (record_identify(record, "the record", &identity, err) < 0)
		return -1;
	take_count(record->user.uid, &uid);
	take_count(record->collector.closed_unix_ns, &closed_ns);
	snprintf(closed, sizeof(closed), "%" PRId64, closed_ns);
	sum = hash(hash(hash(UINT64_C(14695981039346656037), cluster ? cluster : ""), identity.node), closed);
	snprintf(name, STORE_BACKLOG_NAME, ".%" PRIu32 ".%" PRIu32 ".%016" PRIx64 STORE_USER "%" PRIu32,
		 identity.job_id, identity.attempt, sum, (uint32_t)uid);
	return 0;
}

static int64_t remembered(const char *path)
{
	char text[24];
	ssize_t length = path ? getxattr(path, MARK, text, sizeof(text) - 1) : -1;

	text[length > 0 ? length : 0] = '\0';
	return strtoll(text, NULL, 10);
}

/*
 * Saves the revision in the record's file, if the file system has extended attributes. Otherwise, if a record is
 * delivered again, its line is made again.
 */
static void remember(const char *path, int64_t revision)
{
	char text[24];
	int length = snprintf(text, sizeof(text), "%" PRId64, revision);

	if (path)
		setxattr(path, MARK, text, (size_t)length, 0);
}

static int write_whole(int dirfd, const char *name, const char *text, size_t length, struct error *err)
{
	cleanup_close int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

	return fd < 0 || file_write_all(fd, text, length) < 0 || fsync(fd) < 0 ? error_errno(err, "%s", name + 1) : 0;
}

int store_backlog_make(struct store_backlog_line *line, const struct record *record, const struct record_slurm_job *slurm,
		       bool scripts, const char *path, struct error *err)
{
	memset(line, 0, sizeof(*line));
	line->revision = store_line_revision(record, slurm);
	line->path = path;
	if (name_line(record, line->name, err) < 0)
		return -1;
	if (remembered(path) >= line->revision)
		return 0;
	line->text = store_line_make(record, slurm, scripts, &line->length, err);
	return line->text ? 0 : -1;
}

int store_backlog_put(const struct store_backlog *backlog, const struct store_backlog_line *line, struct error *err)
{
	const char *name = line->name;

	if (line->text && write_whole(backlog->lines_fd, name, line->text, line->length, err) < 0) {
		unlinkat(backlog->lines_fd, name, 0);
		return -1;
	}
	/* from here on, a retry only needs to rename the line */
	if (line->text)
		remember(line->path, line->revision);
	if (renameat(backlog->lines_fd, name, backlog->lines_fd, name + 1) < 0 && (line->text || errno != ENOENT))
		return error_errno(err, "%s/lines/%s", backlog->path, name + 1);
	return 0;
}
