/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands the pattern that names a report (output = in stint.conf, or --stint=output=). */
#ifndef STINT_PATTERN_H
#define STINT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define PATTERN_DEFAULT "stint-%i.json"
/* The name of a link in the job's directory, to a report that is in another directory. */
#define PATTERN_LINK "." PATTERN_DEFAULT
#define PATTERN_SUFFIX ".json"
#define PATTERN_TASK ".task-" /* a task's number follows */

/*
 * Returns the length of @name without ".json".
 *
 * @suffix: set to PATTERN_SUFFIX; set to "" if @name does not end in ".json", or if the file's name is only ".json"
 */
size_t pattern_stem(const char *name, const char **suffix);

struct pattern_values {
	uint32_t job_id;
	uint32_t array_job_id;  /* 0: not a task of an array */
	uint32_t array_task_id; /* unused if array_job_id is 0 */
	const char *job_name;
	const char *user;
	const char *node;
};

/*
 * Checks a pattern: not empty, no '/' at the end, and only these conversions:
 * - %i: the job id; ARRAY_TASK for a task of an array, like squeue's %i
 * - %j: the job id
 * - %A: the array's job id; otherwise the job id
 * - %a: the array task id; otherwise 0
 * - %x: the job's name
 * - %u: the user
 * - %N: the node
 * - %%: a percent sign
 *
 * Returns 0; -1 with @err set.
 */
int pattern_check(const char *pattern, struct error *err);

/* Returns whether @pattern has %i, %j or %a: tasks of an array then get different names. */
bool pattern_tells_tasks_apart(const char *pattern);

/* Returns whether any two jobs get different names. */
bool pattern_tells_jobs_apart(const char *pattern);

/*
 * Makes a path from @pattern and @values, in @path of @size bytes.
 * '/' and control characters in a value become '_', so a job's name cannot name a directory.
 *
 * If all tasks of an array would get the same name, inserts ".task-N" before ".json".
 *
 * Returns 0; -1 with @err set if the pattern is bad or the path too long.
 */
int pattern_expand(const char *pattern, const struct pattern_values *values, char *path, size_t size,
		   struct error *err);

#endif
