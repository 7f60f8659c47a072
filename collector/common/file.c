/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/common/cleanup.h"

char *file_read_open(int fd, const char *name, size_t max, size_t *len, struct error *err)
{
	cleanup_free char *data = NULL;
	size_t used = 0, size;
	struct stat st;
	char *result;

	if (fstat(fd, &st) < 0) {
		error_errno(err, "%s", name);
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		error_set(err, "%s: not a plain file", name);
		return NULL;
	}
	if (st.st_size > 0 && (uint64_t)st.st_size > max) {
		errno = EFBIG;
		error_set(err, "%s: longer than %zu bytes", name, max);
		return NULL;
	}
	size = st.st_size > 0 ? (size_t)st.st_size + 1 : 4096;
	for (;;) {
		ssize_t n;

		if (size > max)
			size = max + 1;
		result = realloc(data, size + 1);
		if (!result) {
			error_errno(err, "%s", name);
			return NULL;
		}
		data = result;
		n = read(fd, data + used, size - used);
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

char *file_read(int dirfd, const char *name, size_t max, size_t *len, struct error *err)
{
	/* O_NONBLOCK: a FIFO must not hold the reader; it is refused. */
	cleanup_close int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0)
		return file_read_open(fd, name, max, len, err);
	error_errno(err, "%s", name);
	return NULL;
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= n;
	}
	return 0;
}

/* Fills the new file @temporary; the caller removes it when this fails. */
static int fill(int dirfd, const char *temporary, mode_t mode, const void *data, size_t len)
{
	cleanup_close int fd = openat(dirfd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return -1;
	if (write_all(fd, data, len) < 0 || fchmod(fd, mode) < 0 || fsync(fd) < 0)
		return -1;
	return 0;
}

int file_write(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err)
{
	char temporary[NAME_MAX + 1];
	int tries = 8, saved;
	uint64_t suffix;

	/*
	 * A long name leaves no room for a suffix; the temporary one need not resemble it. Chance keeps
	 * it apart from those of other nodes, and from what a crash left.
	 */
	do {
		if (getrandom(&suffix, sizeof(suffix), 0) != sizeof(suffix))
			return error_errno(err, "%s", name);
		snprintf(temporary, sizeof(temporary), ".stint-%016" PRIx64 ".tmp", suffix);
		if (fill(dirfd, temporary, mode, data, len) == 0)
			break;
		if (errno != EEXIST)
			goto failed;
	} while (--tries);
	if (!tries)
		return error_errno(err, "%s", name);
	if (renameat(dirfd, temporary, dirfd, name) < 0)
		goto failed;
	/* The rename itself is kept over a crash; some network file systems cannot, and need not. */
	fsync(dirfd);
	return 0;
failed:
	saved = errno;
	unlinkat(dirfd, temporary, 0);
	errno = saved;
	return error_errno(err, "%s", name);
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
	return error_set(err, "%s must belong to root and be writable by nobody else", path);
}
