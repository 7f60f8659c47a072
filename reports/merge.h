/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the nodes tell of the same tool or step, taken together; and their timelines in one. */
#ifndef STINT_MERGE_H
#define STINT_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/*
 * The batch script. slurmd runs a copy, spool/jobNNNNN/slurm_script; the
 * report calls it as its author does.
 */
struct merge_script {
	int64_t job_id;
	char name[256]; /* empty: not known */
};

/*
 * Finds the batch script's own name in what stint-slurm-job said (may be NULL).
 */
void merge_find_script(struct json_object *slurm, int64_t job_id, struct merge_script *script);

/*
 * Returns the report's tools: those of one name, interpreter and paths are
 * one; by CPU time, most first.
 */
struct json_object *merge_tools(struct json_object *const records[], size_t count, const struct merge_script *script);

/*
 * Returns the report's timeline, by start.
 */
struct json_object *merge_timeline(struct json_object *const records[], size_t count,
				   const struct merge_script *script);

/*
 * Returns the report's steps, by start. What is not known of one is named in
 * @gaps as steps.ID.NAME.
 */
struct json_object *merge_steps(struct json_object *const records[], size_t count, struct json_object *gaps);

/*
 * Puts exit_code and signal (0: none) of a wait status.
 */
void merge_put_exit(struct json_object *out, int64_t status);

#endif
