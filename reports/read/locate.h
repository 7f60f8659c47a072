/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds report files by the pattern that made their names. */
#ifndef STINT_LOCATE_H
#define STINT_LOCATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

/* A job as people name it: "12", "10_2" for an array's task, "12+1" for a component of a heterogeneous job. */
struct locate_job {
	int64_t id;     /* of the job, of the array, or of a heterogeneous job's first component */
	int64_t task;   /* -1: not given */
	int64_t offset; /* of the component; -1: not given */
	bool has_user;  /* Slurm has named its user: */
	int64_t user;
};

/* Reads a job's name. Returns false if @text is not one. */
bool locate_parse_job(const char *text, struct locate_job *job);

/*
 * Finds the files whose names @pattern (see common/pattern.h) may have made.
 *
 * @directory: where a relative pattern starts
 * @job: the only job to find; NULL for all
 *
 * Returns their paths, ended by a NULL, to be freed with locate_free(); an empty list if there are none. NULL with @err
 * set if the search failed.
 */
char **locate_reports(const char *directory, const char *pattern, const struct locate_job *job, struct error *err);

/*
 * Finds the reports of other attempts of the job whose report is @path: they lie beside it (reports/files/attempt.h).
 * If @path is of an earlier attempt, the latest is among them. Returns as locate_reports(); NULL if out of memory.
 */
char **locate_attempts(const char *path);

void locate_free(char **paths);

#endif
