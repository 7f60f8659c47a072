/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that the stint command writes. An output replaces only files of its own kind, and root follows no link
 * that another user has made.
 */
#ifndef STINT_OUTPUT_H
#define STINT_OUTPUT_H

#include <argp.h>
#include <limits.h>
#include <stddef.h>

#include "common/error.h"
#include "reports/read/summary.h"

/* A kind of output, and how to recognise a file that it may replace. */
struct output_kind {
	const char *option; /* "--html" */
	const char *what;   /* "a page of stint's" */
	const char *suffix; /* of its name */
	const char *begins; /* its first bytes */
	const char *ends;   /* text near its end; NULL: the first bytes are enough */
};

extern const struct output_kind output_page, output_trace;

/*
 * Fills @name with the default file name for the output of @row: stint-12.html, stint-10_2.html,
 * stint-12.attempt-1.html. Returns @name.
 */
const char *output_name(const struct output_kind *kind, const struct summary *row, char name[NAME_MAX + 1]);

/*
 * Writes @text of @len bytes to the file @path, completely or not at all. A new file is readable only for those who may
 * read all the reports that were read (summary_readers()). If a plain file of this kind exists, it is replaced, and keeps
 * its permissions. A link is followed, unless another user has made it: root follows only root's own links, and other
 * users follow none of another user in a directory where anybody may write.
 *
 * Returns 0; -1 with @err set, and nothing is changed.
 */
int output_write(const struct output_kind *kind, const char *path, const char *text, size_t len, struct error *err);

/*
 * Ends the program with a one-line message if @behind, the argument after an option that was given without '=', looks
 * like a file to write, not like a job or a report.
 *
 * @behind: NULL: there is none
 */
void output_check_behind(const struct output_kind *kind, const char *behind, const struct argp_state *state);

#endif
