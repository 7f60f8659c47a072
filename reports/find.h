/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reports that a user's words stand for: a job's id, a file, a directory. */
#ifndef STINT_FIND_H
#define STINT_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "collector/common/error.h"

struct found_report {
	struct json_object *report;
	char *text;   /* the file's bytes as they stand */
	size_t order; /* as found */
};

struct found {
	const char *who; /* "stint report": stands before what is said of files on standard error */
	struct found_report *reports;
	size_t count;
	bool failed; /* one could not be read, and that was said */
};

/*
 * Adds to @found, all zero but for its who, the reports that @what stands for, oldest first: a job
 * ("12", "10_2"; "10" is all tasks of that array too), which is looked for in the current directory, then where
 * Slurm says that it ran; a report's file; or a directory, for all in it.
 *
 * @config: read instead of stint.conf; may be NULL
 *
 * Returns 0; -1 with @err set. Either way find_free() it.
 */
int find_reports(struct found *found, const char *what, const char *config, struct error *err);

void find_free(struct found *found);

#endif
