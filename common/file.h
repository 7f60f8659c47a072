/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes whole files. Another reader of a file sees the old content or the new content, never a mix. */
#ifndef STINT_FILE_H
#define STINT_FILE_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/error.h"

/*
 * Reads the file @name below the directory @dirfd (or AT_FDCWD).
 *
 * @max: largest size allowed, in bytes
 * @len: set to the number of bytes read; may be NULL
 *
 * Returns the content and a NUL, which the caller frees; NULL with @err and errno set:
 * - EFBIG: longer than @max
 * - EISDIR: a directory
 * - EINVAL: no plain file
 *
 * Files of /proc and /sys show no size, so they are read to their end.
 */
char *file_read(int dirfd, const char *name, size_t max, size_t *len, struct error *err);

/*
 * Reads a file of /proc or /sys like file_read(). Does not check its type, because no user can replace such a file.
 * Returns NULL with errno set on failure.
 */
char *file_read_kernel(const char *path, size_t max);

/* Like file_read(), but reads the open file @fd, and leaves it open. @name is for error texts. */
char *file_read_open(int fd, const char *name, size_t max, size_t *len, struct error *err);

/* Like file_read_open(), with @st from fstat() of @fd. */
char *file_read_known(int fd, const struct stat *st, const char *name, size_t max, size_t *len, struct error *err);

/*
 * Opens the plain file @name below @dirfd for reading.
 * Checks the type of the file first, because opening a device or FIFO can have an effect.
 *
 * @flags: O_NOFOLLOW, or 0
 *
 * Returns the descriptor; -1 with @err and errno set:
 * - EISDIR: a directory
 * - ELOOP: a link, with O_NOFOLLOW
 * - EINVAL: no plain file
 */
int file_open_plain(int dirfd, const char *name, int flags, struct error *err);

/* Opens the O_PATH descriptor @path_fd for reading. Returns the new descriptor; -1 with errno set. */
int file_reopen(int path_fd);

/* Reads the names in a directory without malloc(). Set fd to the directory, and all other members to zero. */
struct file_names {
	int fd;
	size_t at;
	size_t length;
	char room[4096] __attribute__((aligned(8)));
};

/*
 * Returns the next name, without "." and "..", valid until the next call.
 * Returns NULL at the end, or if the directory cannot be read.
 */
const char *file_names_next(struct file_names *names);

/*
 * Writes @len bytes to @fd, in as many calls as needed.
 *
 * Returns 0; -1 with errno set. On failure, the file keeps what was written.
 */
int file_write_all(int fd, const void *data, size_t len);

/*
 * Writes @data to the file @name below @dirfd: a temporary file, fsync, rename, fsync of the directory.
 * Replaces a link, and does not follow it.
 *
 * @name: a plain name without '/'
 * @mode: permission bits, whatever the umask is
 *
 * Returns 0; -1 with @err and errno set, and no temporary file left.
 */
int file_write(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/* Like file_write(), but without fsync, for files that are useless after a reboot. */
int file_write_volatile(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Like file_write(), but waits for the disk only once.
 *
 * After a crash of the machine, the file may be empty. Use this only for new names.
 * The content must show whether it is complete (common/frame.h).
 */
int file_write_checked(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/* Like file_write(), but fails with EEXIST if @name exists. */
int file_write_new(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Opens the directory @path, and makes it first if it is missing. Refuses a link.
 * The directory must belong to the effective user, and no other user may write to it.
 *
 * Returns the descriptor; -1 with @err and errno set (EPERM: others own it or may write to it).
 */
int file_open_own_directory(const char *path, struct error *err);

#endif
