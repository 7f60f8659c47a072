/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds report files by the pattern that made their names. */
#ifndef STINT_LOCATE_H
#define STINT_LOCATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

/* A job as people name it: "12", "10_2" for an array's task, "12+1" for a component of a heterogeneous job. */
struct locate_job {
	int64_t id;     /* of the job, of the array, or of the first component of a heterogeneous job */
	int64_t task;   /* -1: not given */
	int64_t offset; /* number of the component; -1: not given */
	bool has_user;  /* Slurm has named the job's user: user */
	int64_t user;
};

/* Returns false if @text is not a job's name. */
bool locate_parse_job(const char *text, struct locate_job *job);

/*
 * Finds the files whose names @pattern (common/pattern.h) may have made.
 *
 * @directory: where a relative pattern starts
 * @job: the only job to find; NULL for all
 *
 * Returns a list of paths that ends with a NULL, for locate_free(). The list may be empty.
 * Returns NULL with @err set if the search failed.
 */
char **locate_reports(const char *directory, const char *pattern, const struct locate_job *job, struct error *err);

/*
 * Finds the reports of the other attempts of a job, in the directory of @path (reports/files/attempt.h).
 *
 * @path: the report of any attempt
 *
 * Returns a list as in locate_reports(); NULL if out of memory.
 */
char **locate_attempts(const char *path);

void locate_free(char **paths);

#endif
