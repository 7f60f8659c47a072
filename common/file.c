/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/cleanup.h"

static int refuse(const char *name, const struct stat *st, struct error *err)
{
	errno = S_ISDIR(st->st_mode) ? EISDIR : EINVAL;
	return error_set(err, "%s: not a plain file", name);
}

int file_reopen(int path_fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", path_fd);
	/* Without O_NONBLOCK, a read of some kernel files might wait for ever. */
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int file_open_plain(int dirfd, const char *name, int flags, struct error *err)
{
	cleanup_close int path_fd = openat(dirfd, name, O_PATH | O_CLOEXEC | flags);
	struct stat st;
	int fd;

	if (path_fd < 0 || fstat(path_fd, &st) < 0)
		return error_errno(err, "%s", name);
	if (S_ISLNK(st.st_mode)) {
		errno = ELOOP;
		return error_errno(err, "%s", name);
	}
	if (!S_ISREG(st.st_mode))
		return refuse(name, &st, err);
	fd = file_reopen(path_fd);
	return fd < 0 ? error_errno(err, "%s", name) : fd;
}

char *file_read_known(int fd, const struct stat *st, const char *name, size_t max, size_t *len, struct error *err)
{
	cleanup_free char *data = NULL;
	size_t used = 0, size;
	char *result;

	if (!S_ISREG(st->st_mode)) {
		refuse(name, st, err);
		return NULL;
	}
	if (st->st_size > 0 && (uint64_t)st->st_size > max) {
		errno = EFBIG;
		error_set(err, "%s: longer than %zu bytes", name, max);
		return NULL;
	}
	size = st->st_size > 0 ? (size_t)st->st_size + 1 : 4096;
	for (;;) {
		size_t asked;
		ssize_t n;

		if (size > max)
			size = max + 1;
		result = realloc(data, size + 1);
		if (!result) {
			error_errno(err, "%s", name);
			return NULL;
		}
		data = result;
		asked = size - used;
		n = read(fd, data + used, asked);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			error_errno(err, "%s", name);
			return NULL;
		}
		if (n == 0)
			break;
		used += n;
		if (used > max) {
			errno = EFBIG;
			error_set(err, "%s: longer than %zu bytes", name, max);
			return NULL;
		}
		/* The size that fstat() gave is reached. */
		if ((size_t)n < asked && used == (uint64_t)st->st_size)
			break;
		if (used == size)
			size *= 2;
	}
	data[used] = '\0';
	if (len)
		*len = used;
	result = data;
	data = NULL;
	return result;
}

char *file_read_open(int fd, const char *name, size_t max, size_t *len, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) == 0)
		return file_read_known(fd, &st, name, max, len, err);
	error_errno(err, "%s", name);
	return NULL;
}

char *file_read(int dirfd, const char *name, size_t max, size_t *len, struct error *err)
{
	cleanup_close int fd = file_open_plain(dirfd, name, 0, err);

	return fd < 0 ? NULL : file_read_open(fd, name, max, len, err);
}

char *file_read_kernel(const char *path, size_t max)
{
	/* The kernel does not tell the sizes of these files, so fstat() would be of no use. */
	static const struct stat made_up = { .st_mode = S_IFREG };
	cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	return fd < 0 ? NULL : file_read_known(fd, &made_up, path, max, NULL, NULL);
}

const char *file_names_next(struct file_names *names)
{
	for (;;) {
		const struct dirent64 *entry;
		ssize_t n;

		if (names->at == names->length) {
			/* glibc has getdents64() only since 2.30 */
			n = names->fd < 0 ? -1 : syscall(SYS_getdents64, names->fd, names->room, sizeof(names->room));
			if (n <= 0)
				return NULL;
			names->at = 0;
			names->length = n;
		}
		entry = (const void *)(names->room + names->at);
		names->at += entry->d_reclen;
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			return entry->d_name;
	}
}

int file_write_all(int fd, const void *data, size_t len)
{
	const char *rest = data;

	while (len > 0) {
		ssize_t n = write(fd, rest, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		rest += n;
		len -= n;
	}
	return 0;
}

enum how {
	REPLACE = 1,
	SYNC = 2, /* survive a crash of the machine */
	NAME_FIRST = 4, /* with SYNC: rename before the data is on disk, which saves one wait */
};

struct new_file {
	int dirfd;
	const char *name;
	int how;
	mode_t mode;
	const void *data;
	size_t len;
};

/* The caller closes *@fd. After an error, the caller removes the file. */
static int write_temporary(const struct new_file *file, const char *temporary, int *fd)
{
	*fd = openat(file->dirfd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (*fd < 0)
		return -1;
	if (file_write_all(*fd, file->data, file->len) < 0 || fchmod(*fd, file->mode) < 0)
		return -1;
	return (file->how & SYNC) && !(file->how & NAME_FIRST) ? fsync(*fd) : 0;
}

/*
 * Renames @temporary to @name. Fails if @name exists.
 * NFS and others lack RENAME_NOREPLACE. There, makes a second link, which fails if @name exists.
 */
static int rename_new(int dirfd, const char *temporary, const char *name)
{
	if (renameat2(dirfd, temporary, dirfd, name, RENAME_NOREPLACE) == 0)
		return 0;
	if ((errno != EINVAL && errno != ENOSYS) || linkat(dirfd, temporary, dirfd, name, 0) < 0)
		return -1;
	unlinkat(dirfd, temporary, 0);
	return 0;
}

static int write_file(const struct new_file *file, struct error *err)
{
	char temporary[NAME_MAX + 1];
	const char *name = file->name, *made = temporary;
	cleanup_close int fd = -1;
	int dirfd = file->dirfd, tries = 8, saved;
	uint64_t suffix;

	/* The random name differs from other nodes' names. A long @name would leave no room for a suffix. */
	do {
		if (getrandom(&suffix, sizeof(suffix), 0) != sizeof(suffix))
			return error_errno(err, "%s", name);
		snprintf(temporary, sizeof(temporary), ".stint-%016" PRIx64 ".tmp", suffix);
		if (write_temporary(file, temporary, &fd) == 0)
			break;
		if (errno != EEXIST)
			goto failed;
	} while (--tries);
	if (!tries)
		return error_errno(err, "%s", name);
	if ((file->how & REPLACE ? renameat(dirfd, temporary, dirfd, name) : rename_new(dirfd, temporary, name)) < 0)
		goto failed;
	made = name;
	if ((file->how & NAME_FIRST) && fsync(fd) < 0)
		goto failed;
	/* Makes the rename survive a crash. Some network file systems cannot do this. */
	if (file->how & SYNC)
		fsync(dirfd);
	return 0;
failed:
	saved = errno;
	unlinkat(dirfd, made, 0);
	errno = saved;
	return error_errno(err, "%s", name);
}

int file_write(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err)
{
	return write_file(&(struct new_file){ dirfd, name, REPLACE | SYNC, mode, data, len }, err);
}

int file_write_checked(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err)
{
	return write_file(&(struct new_file){ dirfd, name, REPLACE | SYNC | NAME_FIRST, mode, data, len }, err);
}

int file_write_new(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err)
{
	return write_file(&(struct new_file){ dirfd, name, SYNC, mode, data, len }, err);
}

int file_write_volatile(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err)
{
	return write_file(&(struct new_file){ dirfd, name, REPLACE, mode, data, len }, err);
}

int file_open_own_directory(const char *path, struct error *err)
{
	struct stat st;
	int fd;

	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "%s", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, "%s", path);
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	close(fd);
	errno = EPERM;
	return error_set(err, "%s must belong to root, and only root may write there", path);
}
