/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes whole files. Reads have a size limit. Writes let a reader see either the old file or the new one. */
#ifndef STINT_FILE_H
#define STINT_FILE_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/error.h"

/*
 * Reads the file @name below the directory @dirfd (AT_FDCWD for the working directory).
 *
 * @max: the most bytes that the file may have
 * @len: set to the number of bytes read; may be NULL
 *
 * Returns the content with a NUL after it, which the caller frees; NULL with @err and errno set (EFBIG if the file is
 * longer than @max, EINVAL if it is no plain file, EISDIR if it is a directory). Files of /proc and /sys, which show no
 * size, are read to their end.
 */
char *file_read(int dirfd, const char *name, size_t max, size_t *len, struct error *err);

/*
 * Like file_read(), for a file that the kernel provides, in /proc or /sys. No user can put a device or a FIFO in the
 * place of such a file. So this opens it without checking its type first, which would be most of the cost of reading
 * it. Returns NULL with errno set on failure.
 */
char *file_read_kernel(const char *path, size_t max);

/* Like file_read(), for a file that is open as @fd. The descriptor remains open. @name is for error texts. */
char *file_read_open(int fd, const char *name, size_t max, size_t *len, struct error *err);

/* Like file_read_open(), for a file whose fstat() result @st is known. */
char *file_read_known(int fd, const struct stat *st, const char *name, size_t max, size_t *len, struct error *err);

/*
 * Opens the plain file @name below the directory @dirfd for reading. Checks the file's type before opening it, because
 * opening a device or a FIFO can already have an effect.
 *
 * @flags: O_NOFOLLOW, or 0
 *
 * Returns the descriptor; -1 with @err and errno set (EISDIR for a directory, ELOOP for a link that is not followed,
 * EINVAL for anything else that is no plain file).
 */
int file_open_plain(int dirfd, const char *name, int flags, struct error *err);

/*
 * Opens for reading the file that @path_fd stands for, which was opened with O_PATH. Returns the descriptor; -1 with
 * errno set.
 */
int file_reopen(int path_fd);

/* Reads the names in a directory one by one, without malloc(). Start with { .fd = the open directory }. */
struct file_names {
	int fd;
	size_t at;
	size_t length;
	char room[4096] __attribute__((aligned(8))); /* structures dirent64 */
};

/*
 * Returns the next name except . and .., which is valid until the next call. NULL if there are no more names, or the
 * directory cannot be read.
 */
const char *file_names_next(struct file_names *names);

/*
 * Writes @len bytes to @fd, in as many calls as necessary. Repeats a call that a signal interrupts.
 *
 * Returns 0; -1 with errno set: then the bytes that were written before the error are in the file.
 */
int file_write_all(int fd, const void *data, size_t len);

/*
 * Writes @len bytes of @data to the file @name below the directory @dirfd. Writes to a new temporary name
 * (O_CREAT|O_EXCL), calls fsync, renames the file to @name, and calls fsync for the directory. If @name is a link,
 * replaces the link and never follows it.
 *
 * @name: a plain name without '/'
 * @mode: permission bits of the file, whatever the umask is
 *
 * Returns 0; -1 with @err and errno set, and without leaving a temporary file behind.
 */
int file_write(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Like file_write(), but without fsync, for files that are useless after a reboot. If this process is killed, nothing
 * that was written is lost.
 */
int file_write_volatile(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Like file_write(), but waits for the disk only half as long, because the file gets its name before its content is on
 * the disk. If the machine crashes in between, the file may have no content. Use this for new names, and for content
 * that shows whether it is whole (common/frame.h).
 */
int file_write_checked(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/* Like file_write(), but keeps an existing file called @name, and fails with errno EEXIST. */
int file_write_new(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Opens the directory @path. Makes it if it does not exist. The directory must belong to the effective user of this
 * process, and no other user may have the right to write to it. A link as the last part of @path is not followed.
 *
 * Returns the descriptor; -1 with @err and errno set (EPERM if another user owns the directory or may write to it).
 */
int file_open_own_directory(const char *path, struct error *err);

#endif
