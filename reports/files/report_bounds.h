/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits how much memory a reader may need for another user's report. A file's size does not show how much that is,
 * because two brackets of JSON can need hundreds of bytes of memory. So stint computes the weight of the text before it
 * reads the report. The weight is the most memory that the text can need.
 *
 * Files of root and of the reader have no limit, because the reader's own files can harm only the user who made them.
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
 * Bounds for a report that is shown as a page. Every report that stint writes is within them, because it needs at most
 * 21 bytes of memory for each byte of text. Another user's file that needs more memory for its size is refused.
 */
extern const struct report_bounds report_bounds_page;

/*
 * Bounds for a report that is shown as a row of a table. They only matter for reports that another program wrote, such
 * as indented reports, because a row needs only a part of a report that stint wrote. The largest report of a single
 * node has 4 MB.
 */
extern const struct report_bounds report_bounds_row;

/* Bounds for a row while other threads also read files. Larger files are read afterwards, one at a time. */
extern const struct report_bounds report_bounds_thread;

/* Returns the largest number of bytes that @bounds allows for any file. */
size_t report_bounds_most(const struct report_bounds *bounds);

/* Returns the weight, in bytes of memory, that @bounds allows for @file. */
size_t report_weight(const struct report_bounds *bounds, const struct stat *file);

/*
 * report_check_bytes() checks the size of @file, and report_check_weight() checks the weight of its @text. Both return
 * 0 if the value is within @bounds; -1 with @err set and errno EFBIG if not.
 */
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
 * Returns the mark that report_seen_note() stored for @file; NULL if there is none. A file is trusted more if its owner
 * also owns its directory (reports/files/report_owner.h). So the mark is returned only if the file's owner owns both
 * the directory of @path and the directory of the stored path, or neither of them.
 *
 * @path: a path of the file, which may have several
 */
const size_t *report_seen_mark(const struct report_seen *seen, const char *path, const struct stat *file);

void report_seen_note(struct report_seen *seen, const char *path, const struct stat *file, size_t mark);

#endif
