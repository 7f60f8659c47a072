/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes whole files. Every read has a size limit. While a file is written, other readers see either the
 * old file or the new one.
 */
#ifndef STINT_FILE_H
#define STINT_FILE_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/error.h"

/*
 * Reads the file @name below the directory @dirfd (AT_FDCWD for the working directory).
 *
 * @max: the largest size in bytes that the file may have
 * @len: set to the number of bytes read; may be NULL
 *
 * Returns the content with a NUL after it, which the caller frees. Returns NULL with @err and errno set on failure:
 * EFBIG if the file is longer than @max, EISDIR if it is a directory, EINVAL if it is anything else that is no plain
 * file. Reads files of /proc and /sys to their end, because the kernel shows no size for them.
 */
char *file_read(int dirfd, const char *name, size_t max, size_t *len, struct error *err);

/*
 * Like file_read(), but for a file that the kernel provides in /proc or /sys. Opens the file without checking its
 * type first, because no user can replace such a file by a device or a FIFO, and the check would be most of the cost
 * of the read. Returns NULL with errno set on failure.
 */
char *file_read_kernel(const char *path, size_t max);

/* Like file_read(), but reads the open file @fd, and does not close @fd. @name is for error texts. */
char *file_read_open(int fd, const char *name, size_t max, size_t *len, struct error *err);

/* Like file_read_open(), but the caller already has @st, the result of fstat() for @fd. */
char *file_read_known(int fd, const struct stat *st, const char *name, size_t max, size_t *len, struct error *err);

/*
 * Opens the plain file @name below the directory @dirfd for reading. Checks the type of the file before opening it,
 * because merely opening a device or a FIFO can have an effect.
 *
 * @flags: O_NOFOLLOW, or 0
 *
 * Returns the descriptor; -1 with @err and errno set: EISDIR for a directory, ELOOP for a link that @flags forbids to
 * follow, EINVAL for anything else that is no plain file.
 */
int file_open_plain(int dirfd, const char *name, int flags, struct error *err);

/*
 * Opens a file for reading that is already open as @path_fd by O_PATH. Returns the new descriptor; -1 with errno set.
 */
int file_reopen(int path_fd);

/* Reads the names in a directory one by one, without malloc(). Set .fd to the open directory, and all else to zero. */
struct file_names {
	int fd;
	size_t at;
	size_t length;
	char room[4096] __attribute__((aligned(8))); /* holds entries of type struct dirent64 */
};

/*
 * Returns the next name in the directory, without "." and "..". The name is valid until the next call. Returns NULL
 * if there are no more names, or if the directory cannot be read.
 */
const char *file_names_next(struct file_names *names);

/*
 * Writes @len bytes to @fd, in as many calls of write() as necessary. Repeats a call that a signal interrupts.
 *
 * Returns 0; -1 with errno set. If it fails, the file keeps the bytes that were written before the error.
 */
int file_write_all(int fd, const void *data, size_t len);

/*
 * Writes @len bytes of @data to the file @name below the directory @dirfd. Creates a temporary file (O_CREAT|O_EXCL),
 * calls fsync for it, renames it to @name, and calls fsync for the directory. If @name is a link, replaces the link
 * and does not follow it.
 *
 * @name: a plain name without '/'
 * @mode: permission bits of the file; the umask does not change them
 *
 * Returns 0; -1 with @err and errno set. If it fails, it removes the temporary file.
 */
int file_write(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Like file_write(), but without fsync, because the file is useless after a reboot. If this process is killed,
 * nothing is lost that it has written.
 */
int file_write_volatile(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Like file_write(), but needs only about half the time, because it renames the file first and then waits for the
 * disk once. If the machine crashes in between, the file may be empty. So use this only for new names, and for
 * content that shows whether it is complete (common/frame.h).
 */
int file_write_checked(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/* Like file_write(), but never replaces a file. If a file called @name exists, fails with errno EEXIST. */
int file_write_new(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Opens the directory @path, and makes it first if it does not exist. The directory must belong to the effective user
 * of this process, and no other user may have the right to write to it. If the last component of @path is a link,
 * fails.
 *
 * Returns the descriptor; -1 with @err and errno set (EPERM if another user owns the directory or may write to it).
 */
int file_open_own_directory(const char *path, struct error *err);

#endif
