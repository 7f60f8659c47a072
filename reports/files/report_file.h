/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads job reports from files. All report files have one form, but the reader checks each file, because anyone may
 * have written it.
 */
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
 * Opens the report file @path for reading. It must be a plain file on a disk or a network, not a device, and not a file
 * whose content the kernel makes. Returns the descriptor; -1 with @err and errno set as by reach_open().
 *
 * @most: how many bytes from the beginning of the file are needed
 * @file: filled by fstat()
 */
int report_open(const char *path, size_t most, struct stat *file, struct error *err);

/*
 * Returns true if the last bracket of the file begins a line, as in a report that report_write() wrote. No other
 * bracket in such a report begins a line, so the function returns false for a report that was cut short.
 */
bool report_ends_well(int fd, off_t size);

/*
 * Returns the permissions for files that are made from the reports which this process has opened. They let a user read
 * such a file only if the user may read all these reports.
 */
mode_t report_readers(void);

/*
 * Reads the report file @path, and checks that this stint can read it. If the file belongs to another user, adds a gap
 * that says so (report_owner.h).
 *
 * @text: set to the unchanged bytes of the file, which the caller must free; may be NULL
 *
 * Returns the report, for report_free(); NULL with @err set. errno is then EFBIG if another user's file exceeds
 * report_bounds_page, and ENOMEM if out of memory.
 */
struct report *report_load(const char *path, char **text, struct error *err);

/* Like report_load(), within @bounds. */
struct report *report_load_within(const char *path, const struct report_bounds *bounds, struct error *err);

/*
 * Like report_load(), but reads only these @parts (REPORT_PART()). They must include every part that report_load()
 * checks, except the timeline.
 */
struct report *report_load_parts(const char *path, uint64_t parts, struct error *err);

#endif
