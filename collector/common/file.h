/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files: read with a bound, written so that a reader sees the old one or the new one. */
#ifndef STINT_FILE_H
#define STINT_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "collector/common/error.h"

/*
 * Reads the file @name below directory @dirfd (AT_FDCWD for the working one).
 *
 * @max: bytes it may have at most
 * @len: bytes read; may be NULL
 *
 * Returns the content with a NUL behind it, to be freed; NULL with @err and
 * errno set (EFBIG when it is longer than @max, EINVAL when it is no plain
 * file). Files of /proc and /sys, which tell no size, are read to their end.
 */
char *file_read(int dirfd, const char *name, size_t max, size_t *len, struct error *err);

/*
 * The same for a file that is open as @fd, which stays open; @name is for the errors.
 */
char *file_read_open(int fd, const char *name, size_t max, size_t *len, struct error *err);

/*
 * Writes @len bytes as @name below directory @dirfd: a new temporary name
 * (O_CREAT|O_EXCL), fsync, rename over @name, fsync of the directory. A link
 * that stands at @name is replaced and never followed.
 *
 * @name: a plain name without '/'
 * @mode: permission bits, as they stand afterwards
 *
 * Returns 0; -1 with @err and errno set, and no temporary file left behind.
 */
int file_write(int dirfd, const char *name, mode_t mode, const void *data, size_t len, struct error *err);

/*
 * Opens the directory @path, which is made if it is not there, and must belong to who runs this and be writable by
 * nobody else. A link in its last place is not followed.
 *
 * Returns it; -1 with @err and errno set (EPERM when it is somebody else's to write in).
 */
int file_open_own_directory(const char *path, struct error *err);

#endif
