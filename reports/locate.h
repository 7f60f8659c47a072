/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding report files by the pattern that named them. */
#ifndef STINT_LOCATE_H
#define STINT_LOCATE_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/common/error.h"

/* A job as people name it: "12", or "10_2" for an array's task. */
struct locate_job {
	int64_t id;   /* job or array */
	int64_t task; /* -1: none said */
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

void locate_free(char **paths);

#endif
