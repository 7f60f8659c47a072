/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands the pattern that names a report. The pattern comes from stint.conf (output =) or from --stint=output=. */
#ifndef STINT_PATTERN_H
#define STINT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define PATTERN_DEFAULT "stint-%i.json"
/* name of a link in the job's directory; it leads to the report if the job moved it by --stint=output= */
#define PATTERN_LINK "." PATTERN_DEFAULT
#define PATTERN_SUFFIX ".json"
#define PATTERN_TASK ".task-" /* followed by the task's number, if the pattern does not distinguish tasks */

/*
 * Returns the length of @name, a file's name or path, without its ".json". So other text can be inserted before
 * ".json".
 *
 * @suffix: set to PATTERN_SUFFIX; to "" if the name does not end in it, or consists of nothing else
 */
size_t pattern_stem(const char *name, const char **suffix);

struct pattern_values {
	uint32_t job_id;
	uint32_t array_job_id;  /* 0: not a task of an array */
	uint32_t array_task_id; /* only meaningful if array_job_id is not 0 */
	const char *job_name;
	const char *user;
	const char *node;
};

/*
 * Checks a pattern. It must not be empty, and must not end in '/'. It can contain these conversions:
 * - %i: the job id; for a task of an array ARRAY_TASK, like squeue's %i
 * - %j: the job id
 * - %A: the array's job id; for other jobs the job id
 * - %a: the array task id; for other jobs 0
 * - %x: the job's name
 * - %u: the user
 * - %N: the node
 * - %%: a percent sign
 *
 * Returns 0; -1 with @err set.
 */
int pattern_check(const char *pattern, struct error *err);

/* Returns whether @pattern has a conversion that differs between the tasks of an array: %i, %j or %a. */
bool pattern_tells_tasks_apart(const char *pattern);

/* Returns whether @pattern never gives the reports of two jobs the same name. */
bool pattern_tells_jobs_apart(const char *pattern);

/*
 * Writes the path that @pattern makes from @values to @path, which has room for @size bytes. A '/' or a control
 * character in a value becomes '_', so a job's name cannot name a directory. If @pattern does not distinguish an
 * array's tasks, inserts ".task-N" before ".json", or appends it, so no task's report replaces another's. If there is
 * no room for that, cuts the file's name.
 *
 * Returns 0; -1 with @err set if the pattern is bad, or the path is too long.
 */
int pattern_expand(const char *pattern, const struct pattern_values *values, char *path, size_t size,
		   struct error *err);

#endif
