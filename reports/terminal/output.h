/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the files that the stint command makes. An output replaces only files of its own kind, and root follows no
 * link that another user has made.
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
	const char *what;   /* "a page of stint's", for messages */
	const char *suffix; /* of its name */
	const char *begins; /* its first bytes */
	const char *ends;   /* text near the file's end; NULL if the first bytes are enough */
};

extern const struct output_kind output_page, output_trace;

/*
 * Fills @name with the default file name for the output of @row: stint-12.html, stint-10_2.html,
 * stint-12.attempt-1.html. Returns @name.
 */
const char *output_name(const struct output_kind *kind, const struct summary *row, char name[NAME_MAX + 1]);

/*
 * Writes @text of @len bytes to the file @path, completely or not at all. A new file is readable only for those who
 * may read all the reports that were read (summary_readers()). A plain file of this kind is replaced, and keeps its
 * permissions.
 *
 * Links are followed if the user owns them. Root follows no other links. In a directory with the sticky bit where
 * anybody may write, other users follow no link of another user, unless that user owns the directory.
 *
 * Returns 0; -1 with @err set, and nothing is changed.
 */
int output_write(const struct output_kind *kind, const char *path, const char *text, size_t len, struct error *err);

/* Writes what is left for standard output. Returns 0; -1 with @err set if anything could not be written there. */
int output_flush(struct error *err);

/*
 * Ends the program with a one-line message if the argument after the option seems to be the name of a file to write.
 * Such a name must follow the option after a '='. It is no error if the argument looks like a job or a report.
 *
 * @behind: the argument after an option without '='; NULL if there is none
 */
void output_check_behind(const struct output_kind *kind, const char *behind, const struct argp_state *state);

#endif
