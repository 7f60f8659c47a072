/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds report files by the pattern that made their names. */
#ifndef STINT_LOCATE_H
#define STINT_LOCATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

/*
 * A job as people name it, such as "12", "10_2" for an array's task, or "12+1" for a component of a heterogeneous job.
 */
struct locate_job {
	int64_t id;     /* the id of the job, of the array, or of the first component of a heterogeneous job */
	int64_t task;   /* -1: not given */
	int64_t offset; /* the number of the component; -1 if not given */
	bool has_user;  /* Slurm has named the job's user, who is @user */
	int64_t user;
};

/* Reads a job's name. Returns false if @text is not a job's name. */
bool locate_parse_job(const char *text, struct locate_job *job);

/*
 * Finds the files whose names @pattern (see common/pattern.h) may have made.
 *
 * @directory: the directory in which a relative pattern starts
 * @job: the only job to find; NULL for all
 *
 * Returns a list of the files' paths, which ends with a NULL, for locate_free(). If there are no such files, the list
 * is empty. If the search failed, returns NULL with @err set.
 */
char **locate_reports(const char *directory, const char *pattern, const struct locate_job *job, struct error *err);

/*
 * Finds the reports of the other attempts of a job. @path is the report of one attempt, and the others are in the same
 * directory (reports/files/attempt.h). Unless @path is of the latest attempt, the report of the latest attempt is among
 * them. Returns a list as locate_reports() does; NULL if out of memory.
 */
char **locate_attempts(const char *path);

void locate_free(char **paths);

#endif
