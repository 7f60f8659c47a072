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

#define REPORT_BYTES_MAX (96u << 20) /* a longer file is none of ours */

/*
 * Opens the report file @path for reading. It must be a plain file on a disk or a network: no device, and nothing whose
 * content the kernel makes. Returns the descriptor; -1 with @err and errno set, as reach_open() has it.
 *
 * @most: bytes from its begin that are wanted
 * @file: of fstat()
 */
int report_open(const char *path, size_t most, struct stat *file, struct error *err);

/*
 * Finds out whether the file was cut short, or is not in the form of report_write(): that puts only the last bracket at
 * the begin of a line.
 */
bool report_ends_well(int fd, off_t size);

/*
 * Returns the permissions of those who may read all reports that this process has opened, for what it makes of them.
 */
mode_t report_readers(void);

/*
 * Reads the report file @path, and checks that this stint can read it. Another user's is noted to be so (report_owner.h).
 *
 * @text: gets the file's bytes, unchanged, to be freed; may be NULL
 *
 * Returns the report, for report_free(); NULL with @err set. errno is then EFBIG where another user's file is beyond
 * report_bounds_page, and ENOMEM where memory is short.
 */
struct report *report_load(const char *path, char **text, struct error *err);

/*
 * As report_load(), within @bounds.
 */
struct report *report_load_within(const char *path, const struct report_bounds *bounds, struct error *err);

/*
 * As report_load(), of these @parts (REPORT_PART()): all that is checked must be among them, but for the timeline.
 */
struct report *report_load_parts(const char *path, uint64_t parts, struct error *err);

#endif
