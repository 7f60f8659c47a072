/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding report files by the pattern that named them. */
#ifndef STINT_LOCATE_H
#define STINT_LOCATE_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/common/error.h"

/* A job as people name it: "12", "10_2" for an array's task, "12+1" for a component of a heterogeneous job. */
struct locate_job {
	int64_t id;     /* job, array, or a heterogeneous job's first */
	int64_t task;   /* -1: none said */
	int64_t offset; /* of the component; -1: none said */
};

/*
 * Reads a job's name. Returns false when @text is none.
 */
bool locate_parse_job(const char *text, struct locate_job *job);

/*
 * Finds the files that @pattern (see collector/common/pattern.h) may have named.
 *
 * @directory: where a relative pattern starts
 * @job: only this job's; NULL for all
 *
 * Returns their paths, ended by a NULL, to be freed with locate_free(); none
 * found is an empty list. NULL with @err set when the search failed.
 */
char **locate_reports(const char *directory, const char *pattern, const struct locate_job *job, struct error *err);

/*
 * Finds the reports of other attempts of the job whose report is @path: they lie beside it (reports/attempt.h), and so does
 * the latest's where @path is an earlier one's. Returns as locate_reports(); NULL when memory is short.
 */
char **locate_attempts(const char *path);

void locate_free(char **paths);

#endif
