/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files: reads them with a limit, and writes them so that a reader sees either the old file or the new one. */
#ifndef STINT_FILE_H
#define STINT_FILE_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/error.h"

/*
 * Reads the file @name below directory @dirfd (AT_FDCWD for the working one).
 *
 * @max: bytes it may have at most
 * @len: bytes read; may be NULL
 *
 * Returns the content, with a NUL after it, which the caller frees; NULL with @err and errno set (EFBIG if it is longer than
 * @max, EINVAL if it is no plain file). Files of /proc and /sys, which show no size, are read to their end.
 */
char *file_read(int dirfd, const char *name, size_t max, size_t *len, struct error *err);

/*
 * The same for a file that the kernel provides, in /proc or /sys: no user can put a device or a FIFO in its place. So it is
 * opened without checking its type before, which is most of the cost of reading one.
 */
char *file_read_kernel(const char *path, size_t max);

/* Like file_read(), for a file that is open as @fd. It stays open. @name is for the errors. */
char *file_read_open(int fd, const char *name, size_t max, size_t *len, struct error *err);

/* The same for a file whose fstat() result @st is known. */
char *file_read_known(int fd, const struct stat *st, const char *name, size_t max, size_t *len, struct error *err);

/*
 * Opens the plain file @name below directory @dirfd for reading. Checks the file's type before opening it, because
 * opening a device or a FIFO can already have an effect.
 *
 * @flags: O_NOFOLLOW, or 0
 *
 * Returns the descriptor; -1 with @err and errno set (EISDIR for a directory, ELOOP for a link that is not followed,
 * EINVAL for anything else that is no plain file).
 */
int file_open_plain(int dirfd, const char *name, int flags, struct error *err);

/* Opens the file of @path_fd, which was opened with O_PATH, for reading. Returns the descriptor; -1 with errno set. */
int file_reopen(int path_fd);

/* The names in a directory, one after the other, without malloc(). To begin: { .fd = the open directory } */
struct file_names {
	int fd;
	size_t at;
	size_t length;
	char room[4096] __attribute__((aligned(8))); /* of struct dirent64 */
};

/*
 * Returns the next name except . and .., valid until the next call; NULL: there are no more, or the directory cannot be
 * read.
 */
const char *file_names_next(struct file_names *names);

/*
 * Writes @len bytes to @fd, in as many calls as necessary; repeats a call that a signal interrupts.
 *
 * Returns 0; -1 with errno set: the bytes written before are in the file.
 */
int file_write_all(int fd, const void *data, size_t len);

/*
 * Writes @len bytes as @name below directory @dirfd: a new temporary name (O_CREAT|O_EXCL), fsync, rename over @name,
 * fsync of the directory. Replaces a link called @name, and never follows it.
 *
 * @name: a plain name without '/'
 * @mode: permission bits of the file, whatever the umask is
 *
 * Returns 0; -1 with @err and errno set, and no temporary file left behind.
 */
int file_write(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Like file_write(), but without fsync: for files that are useless after a reboot. A kill of this process loses none of
 * it.
 */
int file_write_volatile(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Like file_write(), with half of the waiting for the disk: the file has its name before its content is on the disk. If
 * the machine crashes in between, it may have no content. Use it for new names, and for content that shows whether it
 * is whole (common/frame.h).
 */
int file_write_checked(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/* Like file_write(), but if a file called @name already exists, it stays, and errno is EEXIST. */
int file_write_new(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Opens the directory @path, and makes it if it does not exist. It must belong to the effective user of this process, and no
 * other user may write to it. A link as the last part of @path is not followed.
 *
 * Returns the descriptor; -1 with @err and errno set (EPERM if another user owns it or may write to it).
 */
int file_open_own_directory(const char *path, struct error *err);

#endif
