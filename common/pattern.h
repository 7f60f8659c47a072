/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands the pattern that names a report. The pattern comes from stint.conf (output =) or from --stint=output=. */
#ifndef STINT_PATTERN_H
#define STINT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define PATTERN_DEFAULT "stint-%i.json"
/* Name of a link in the job's directory. The link leads to the report if the job moved the report by --stint=output=. */
#define PATTERN_LINK "." PATTERN_DEFAULT
#define PATTERN_SUFFIX ".json"
#define PATTERN_TASK ".task-" /* the task's number follows; used if the pattern gives the same name to all tasks of an array */

/*
 * Returns the length of @name, a file's name or path, without its ".json". The caller can insert text there.
 *
 * @suffix: set to PATTERN_SUFFIX; set to "" if the name does not end in it, or consists of nothing else
 */
size_t pattern_stem(const char *name, const char **suffix);

struct pattern_values {
	uint32_t job_id;
	uint32_t array_job_id;  /* 0: not a task of an array */
	uint32_t array_task_id; /* not used if array_job_id is 0 */
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

/* Returns whether @pattern has %i, %j or %a. Each of these differs between the tasks of an array. */
bool pattern_tells_tasks_apart(const char *pattern);

/* Returns whether @pattern gives the reports of any two jobs different names. */
bool pattern_tells_jobs_apart(const char *pattern);

/*
 * Makes a path from @pattern and @values, and writes it to @path, which has room for @size bytes. Replaces each '/'
 * and each control character in a value by '_', so the name of a job cannot name a directory.
 *
 * If the job is a task of an array, and @pattern gives the same name to all tasks, inserts ".task-N" before ".json",
 * or appends it. So the report of one task does not replace the report of another. If the file's name would become
 * too long, cuts the name before ".task-N".
 *
 * Returns 0; -1 with @err set if the pattern is bad, or the path is too long.
 */
int pattern_expand(const char *pattern, const struct pattern_values *values, char *path, size_t size,
		   struct error *err);

#endif
