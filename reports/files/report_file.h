/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The job report as a file: written in one form, and read with care, whoever wrote it. */
#ifndef STINT_REPORT_FILE_H
#define STINT_REPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "common/error.h"
#include "reports/files/report_bounds.h"
#include "reports/model/report_read.h"

#define REPORT_BYTES_MAX (96u << 20) /* a longer file is not one of ours */

/*
 * Opens the report file @path for reading. It must be a plain file on a disk or a network: not a device, and not a file
 * whose content the kernel makes. Returns the descriptor; -1 with @err and errno set as by reach_open().
 *
 * @most: how many bytes are wanted from its beginning
 * @file: filled by fstat()
 */
int report_open(const char *path, size_t most, struct stat *file, struct error *err);

/*
 * Returns false if the file was cut short, or does not have the form that report_write() gives it: there, only the last
 * bracket begins a line.
 */
bool report_ends_well(int fd, off_t size);

/*
 * Returns the permissions of the users who may read all reports that this process has opened. Files made from these
 * reports get them.
 */
mode_t report_readers(void);

/*
 * Reads the report file @path, and checks that this stint can read it. If it is another user's, the report notes that
 * (report_owner.h).
 *
 * @text: set to the file's bytes, unchanged, to be freed; may be NULL
 *
 * Returns the report, for report_free(); NULL with @err set. errno is then EFBIG if another user's file exceeds
 * report_bounds_page, and ENOMEM if out of memory.
 */
struct report *report_load(const char *path, char **text, struct error *err);

/*
 * As report_load(), within @bounds.
 */
struct report *report_load_within(const char *path, const struct report_bounds *bounds, struct error *err);

/*
 * As report_load(), but only these @parts (REPORT_PART()). They must include every part that is checked, except the
 * timeline.
 */
struct report *report_load_parts(const char *path, uint64_t parts, struct error *err);

#endif
