/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pattern that names a report, in stint.conf (output =) and in --stint=output=. */
#ifndef STINT_PATTERN_H
#define STINT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define PATTERN_DEFAULT "stint-%i.json"
#define PATTERN_LINK "." PATTERN_DEFAULT /* a link in the job's directory to the report that the job moved */
#define PATTERN_SUFFIX ".json"
#define PATTERN_TASK ".task-" /* and the task's number, if the pattern does not distinguish tasks */

/*
 * Returns the length of the file's name (or path) @name without its ".json". Other words can be put before the ".json".
 *
 * @suffix: becomes PATTERN_SUFFIX, or "" if the name does not end in it, or is nothing else
 */
size_t pattern_stem(const char *name, const char **suffix);

struct pattern_values {
	uint32_t job_id;
	uint32_t array_job_id;  /* 0: not a task of an array */
	uint32_t array_task_id; /* meaningful with array_job_id only */
	const char *job_name;
	const char *user;
	const char *node;
};

/*
 * Checks a pattern: %i (job id, or ARRAY_TASK for an array task, as squeue's %i),
 * %j (job id), %A (array job id, else job id), %a (array task id, else 0),
 * %x (job name), %u (user), %N (node), %% (a percent sign); not empty, not
 * ending in '/'.
 *
 * Returns 0; -1 with @err set.
 */
int pattern_check(const char *pattern, struct error *err);

/*
 * Whether @pattern has a conversion that differs from one task of an array to the next: %i, %j or %a.
 */
bool pattern_tells_tasks_apart(const char *pattern);

/* Whether reports of two jobs never have one name by @pattern. */
bool pattern_tells_jobs_apart(const char *pattern);

/*
 * Writes the path that @pattern makes into @path, of @size bytes. A '/' or a control character in a value becomes '_',
 * so a job's name cannot name a directory. If @pattern does not distinguish an array's tasks, ".task-N" comes before
 * ".json", or at the end: no task's report may replace another's. A name without room for that is cut.
 *
 * Returns 0; -1 with @err set (a bad pattern, or too long).
 */
int pattern_expand(const char *pattern, const struct pattern_values *values, char *path, size_t size,
		   struct error *err);

#endif
