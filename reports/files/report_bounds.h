/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What another user's report may cost its reader. Two brackets can become hundreds of bytes of memory, so that what a file
 * takes is not seen by its size: its text is weighed before it is read. Root's and the reader's own files are not
 * bounded: the latter cost only who made them.
 */
#ifndef STINT_REPORT_BOUNDS_H
#define STINT_REPORT_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "common/error.h"

struct report_bounds {
	size_t bytes; /* of the file */
	size_t weight; /* bytes of memory that it may take: see json_weighs_more() */
	bool own_too; /* these bounds are for whoever's file */
};

/* All that stint writes, at up to 21 bytes of memory for one of text, and no denser file. */
extern const struct report_bounds report_bounds_page;

/*
 * For a row of a table. What stint writes shows a row without being parsed as a whole; this is for what another program
 * wrote, such as a report that was indented. The largest that one node makes has 4 MB.
 */
extern const struct report_bounds report_bounds_row;

/* The same while other threads read too. What is beyond it is read alone, after these. */
extern const struct report_bounds report_bounds_thread;

/* Returns the most bytes of any file that @bounds let be read. */
size_t report_bounds_most(const struct report_bounds *bounds);

/* Returns the weight that @bounds have for @file. */
size_t report_weight(const struct report_bounds *bounds, const struct stat *file);

/*
 * Return 0 where @file, or its @text, is within @bounds; -1 with @err set, and errno EFBIG.
 */
int report_check_bytes(const struct report_bounds *bounds, const struct stat *file, const char *path, struct error *err);
int report_check_weight(const struct report_bounds *bounds, const struct stat *file, const char *text, size_t len,
			const char *path, struct error *err);

/* Sets @err, and errno to EFBIG, for @file beyond its bounds. Returns -1. */
int report_refuse(const struct stat *file, const char *path, struct error *err);

/* ---- files that are there by several names ---- */

/* Files that were read. All zero at first; free its list. */
struct report_seen {
	struct report_seen_file {
		dev_t dev;
		ino_t ino;
		bool of_directorys; /* its owner is the directory's */
		size_t mark; /* the caller's */
	} *list;
	size_t count;
};

/*
 * Returns the mark of @file, at @path; NULL where it was not noted. The same file proves more in a directory of its
 * owner's than in another's (reports/files/report_owner.h): what is known of it there does not hold elsewhere.
 */
const size_t *report_seen_mark(const struct report_seen *seen, const char *path, const struct stat *file);

void report_seen_note(struct report_seen *seen, const char *path, const struct stat *file, size_t mark);

#endif
