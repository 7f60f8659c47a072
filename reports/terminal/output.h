/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the output files of the stint command.
 * An output replaces only files of its own kind. Root follows no link of another user.
 */
#ifndef STINT_OUTPUT_H
#define STINT_OUTPUT_H

#include <argp.h>
#include <limits.h>
#include <stddef.h>

#include "common/error.h"
#include "reports/read/summary.h"

/* A kind of output, and how to recognise its files. */
struct output_kind {
	const char *option; /* "--html" */
	const char *what;   /* "a page of stint's", for messages */
	const char *suffix; /* of the file's name */
	const char *begins; /* first bytes of the file */
	const char *ends;   /* text near the file's end; NULL if the first bytes are enough */
};

extern const struct output_kind output_page, output_trace;

/* Fills @name with the default file name, and returns it: stint-12.html, stint-10_2.html, stint-12.attempt-1.html. */
const char *output_name(const struct output_kind *kind, const struct summary *row, char name[NAME_MAX + 1]);

/*
 * Writes @text of @len bytes to the file @path, completely or not at all.
 *
 * A new file is readable only for users who may read all reports in it (summary_readers()).
 * If @path is already a plain file of this kind, replaces this file and keeps its permissions.
 *
 * Follows links of the user. For root, follows no other links.
 * In a sticky directory where anybody may write, does not follow a link of another user,
 * except a link of the directory's owner.
 *
 * Returns 0; -1 with @err set, and nothing is changed.
 */
int output_write(const struct output_kind *kind, const char *path, const char *text, size_t len, struct error *err);

/* Flushes standard output. Returns 0; -1 with @err set if something was not written. */
int output_flush(struct error *err);

/*
 * Ends the program with a message if the user seems to have forgotten the '=' between an option and its file.
 * Accepts jobs and reports after the option.
 *
 * @behind: the argument after an option without '='; may be NULL
 */
void output_check_behind(const struct output_kind *kind, const char *behind, const struct argp_state *state);

#endif
