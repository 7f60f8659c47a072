/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads job reports from files. Checks each file, because anyone may have written it. */
#ifndef STINT_REPORT_FILE_H
#define STINT_REPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "common/error.h"
#include "reports/files/report_bounds.h"
#include "reports/model/report_read.h"

#define REPORT_BYTES_MAX (96u << 20) /* stint never writes a longer file */

/*
 * Opens the report file @path for reading: a plain file on a disk or a network.
 * Refuses devices, and files whose content the kernel makes.
 *
 * @most: how many bytes from the file's beginning are needed
 * @file: filled by fstat()
 *
 * Returns the descriptor; -1 with @err and errno set as by reach_open().
 */
int report_open(const char *path, size_t most, struct stat *file, struct error *err);

/*
 * Returns whether the last bracket of the file begins a line, as report_write() writes it.
 * No other bracket begins a line, so a report that was cut short returns false.
 */
bool report_ends_well(int fd, off_t size);

/*
 * Returns the permissions of files that are made from all reports that this process has opened.
 * Only users who may read all these reports may read the files.
 */
mode_t report_readers(void);

/*
 * Reads the report file @path, and checks that this stint can read it.
 * Adds a gap if the file belongs to another user (report_owner.h).
 *
 * @text: set to the unchanged bytes of the file, which the caller must free; may be NULL
 *
 * Returns the report, for report_free(); NULL with @err and errno set:
 *   EFBIG: another user's file exceeds report_bounds_page
 *   ENOMEM: out of memory
 */
struct report *report_load(const char *path, char **text, struct error *err);

/* Reads the report file @path like report_load(), within @bounds. */
struct report *report_load_within(const char *path, const struct report_bounds *bounds, struct error *err);

/*
 * Reads only these @parts (REPORT_PART()) of the report.
 * They must include every part that report_load() checks, except the timeline.
 */
struct report *report_load_parts(const char *path, uint64_t parts, struct error *err);

#endif
