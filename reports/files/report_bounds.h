/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits how much memory a reader may need for another user's report. Two brackets can need hundreds of bytes of
 * memory, so a file's size does not show its cost. So the weight of its text is computed before the report is read.
 * Files of root and of the reader are not bounded, because the reader's own files only harm the user who made them.
 */
#ifndef STINT_REPORT_BOUNDS_H
#define STINT_REPORT_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "common/error.h"

struct report_bounds {
	size_t bytes; /* of the file */
	size_t weight; /* the most bytes of memory that a report may need */
	bool own_too; /* these bounds apply to files of every owner */
};

/*
 * Bounds for a page. They are enough for every report that stint writes, because these need at most 21 bytes of memory
 * for a byte of text. A file that needs more memory for its size is refused.
 */
extern const struct report_bounds report_bounds_page;

/*
 * Bounds for a row of a table. If stint wrote a report, a row is made without parsing all of the report. These bounds
 * are for reports that another program wrote, such as indented reports. The largest report of a single node has 4 MB.
 */
extern const struct report_bounds report_bounds_row;

/* Bounds for a row while other threads also read files. Larger files are read afterwards, one at a time. */
extern const struct report_bounds report_bounds_thread;

/* Returns the largest number of bytes that @bounds allows for any file. */
size_t report_bounds_most(const struct report_bounds *bounds);

/* Returns the weight, in bytes of memory, that @bounds allows for @file. */
size_t report_weight(const struct report_bounds *bounds, const struct stat *file);

/* Both functions return 0 if @file, or its @text, is within @bounds; otherwise -1 with @err set, and errno EFBIG. */
int report_check_bytes(const struct report_bounds *bounds, const struct stat *file, const char *path, struct error *err);
int report_check_weight(const struct report_bounds *bounds, const struct stat *file, const char *text, size_t len,
			const char *path, struct error *err);

/* Sets @err, and errno to EFBIG, because @file exceeds its bounds. Returns -1. */
int report_refuse(const struct stat *file, const char *path, struct error *err);

/* ---- files with several names ---- */

/* The files that were read. Set it to all zero before the first use, and free its list at the end. */
struct report_seen {
	struct report_seen_file {
		dev_t dev;
		ino_t ino;
		bool of_directorys; /* the owner of the file also owns its directory */
		size_t mark; /* for the caller */
	} *list;
	size_t count;
};

/*
 * Returns the mark of @file, at @path; NULL if the file was not stored. A file proves more in a directory of its owner
 * than in another directory (reports/files/report_owner.h). So a mark from one kind of directory is not valid in the
 * other kind.
 */
const size_t *report_seen_mark(const struct report_seen *seen, const char *path, const struct stat *file);

void report_seen_note(struct report_seen *seen, const char *path, const struct stat *file, size_t mark);

#endif
