/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits the memory for another user's report.
 * The size of the file does not tell how much memory is needed: two brackets of JSON can need hundreds of bytes.
 * So stint first computes the weight of the text, which is the most memory that the text can need.
 *
 * Files of root and of the reader have no limit.
 */
#ifndef STINT_REPORT_BOUNDS_H
#define STINT_REPORT_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "common/error.h"

struct report_bounds {
	size_t bytes; /* of the file */
	size_t weight; /* bytes of memory that a report may need */
	bool own_too; /* these bounds apply to files of every owner */
};

/*
 * For a report shown as a page. stint's reports need at most 21 bytes of memory for each byte of text.
 * Another user's file that needs more is refused.
 */
extern const struct report_bounds report_bounds_page;

/*
 * For a report shown as a row. A row needs only a part of stint's own reports.
 * So the bounds matter for reports of other programs, such as indented ones.
 * The largest report of a single node has 4 MB.
 */
extern const struct report_bounds report_bounds_row;

/* For a row while other threads read, too. Larger files are read afterwards, one at a time. */
extern const struct report_bounds report_bounds_thread;

/* Returns the largest size of any file within @bounds, in bytes. */
size_t report_bounds_most(const struct report_bounds *bounds);

/* Returns the weight that @bounds allows for @file, in bytes of memory. */
size_t report_weight(const struct report_bounds *bounds, const struct stat *file);

/*
 * Check the size of @file, or the weight of its @text.
 * Return 0 if it is within @bounds; -1 with @err set and errno EFBIG if not.
 */
int report_check_bytes(const struct report_bounds *bounds, const struct stat *file, const char *path, struct error *err);
int report_check_weight(const struct report_bounds *bounds, const struct stat *file, const char *text, size_t len,
			const char *path, struct error *err);

/* Sets @err, and errno to EFBIG, because @file exceeds its bounds. Returns -1. */
int report_refuse(const struct stat *file, const char *path, struct error *err);

/* ---- files with several names ---- */

/* The files that were read. Set it to all zero before the first use. Free its list at the end. */
struct report_seen {
	struct report_seen_file {
		dev_t dev;
		ino_t ino;
		bool of_directorys; /* the file's owner also owns its directory */
		size_t mark; /* for the caller */
	} *list;
	size_t count;
};

/*
 * Returns the mark that report_seen_note() stored for @file; NULL if there is none.
 * A file is trusted more if its owner also owns its directory (reports/files/report_owner.h).
 * So a mark that was stored for a trusted path is returned only for trusted paths.
 * A mark that was stored for an untrusted path is returned only for untrusted paths.
 *
 * @path: a path of the file, which may have several
 */
const size_t *report_seen_mark(const struct report_seen *seen, const char *path, const struct stat *file);

void report_seen_note(struct report_seen *seen, const char *path, const struct stat *file, size_t mark);

#endif
