/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits what another user's report may cost its reader. Two brackets can become hundreds of bytes of memory, so a
 * file's size does not show its cost: its text is weighed before it is read. Root's and the reader's own files are not
 * bounded: the reader's own files cost only the user who made them.
 */
#ifndef STINT_REPORT_BOUNDS_H
#define STINT_REPORT_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "common/error.h"

struct report_bounds {
	size_t bytes; /* of the file */
	size_t weight; /* bytes of memory that it may take */
	bool own_too; /* these bounds hold for files of every owner */
};

/* Enough for every report that stint writes, at up to 21 bytes of memory for a byte of text, and for no denser file. */
extern const struct report_bounds report_bounds_page;

/*
 * For a row of a table. A report written by stint shows a row without being parsed as a whole. These bounds are for
 * reports that another program wrote, such as an indented one. The largest report of a single node has 4 MB.
 */
extern const struct report_bounds report_bounds_row;

/* For a row while other threads read too. Larger files are read alone, afterwards. */
extern const struct report_bounds report_bounds_thread;

/* Returns the largest number of bytes that @bounds allow for any file. */
size_t report_bounds_most(const struct report_bounds *bounds);

/* Returns the weight that @bounds allow for @file. */
size_t report_weight(const struct report_bounds *bounds, const struct stat *file);

/* Return 0 if @file, or its @text, is within @bounds; -1 with @err set, and errno EFBIG. */
int report_check_bytes(const struct report_bounds *bounds, const struct stat *file, const char *path, struct error *err);
int report_check_weight(const struct report_bounds *bounds, const struct stat *file, const char *text, size_t len,
			const char *path, struct error *err);

/* Sets @err, and errno to EFBIG, because @file exceeds its bounds. Returns -1. */
int report_refuse(const struct stat *file, const char *path, struct error *err);

/* ---- files with several names ---- */

/* The files that were read. All zero at first; free its list. */
struct report_seen {
	struct report_seen_file {
		dev_t dev;
		ino_t ino;
		bool of_directorys; /* its owner also owns the directory */
		size_t mark; /* for the caller */
	} *list;
	size_t count;
};

/*
 * Returns the mark of @file, at @path; NULL if it was not noted. The same file proves more in a directory of its owner
 * than in another directory (reports/files/report_owner.h). So a mark noted in one kind of directory does not hold in
 * the other.
 */
const size_t *report_seen_mark(const struct report_seen *seen, const char *path, const struct stat *file);

void report_seen_note(struct report_seen *seen, const char *path, const struct stat *file, size_t mark);

#endif
