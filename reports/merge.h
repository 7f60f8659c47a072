/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the nodes tell of the same tool or step, taken together; and their timelines in one. */
#ifndef STINT_MERGE_H
#define STINT_MERGE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/*
 * The batch script. slurmd runs a copy, spool/jobNNNNN/slurm_script; the
 * report calls it as its author does.
 */
struct merge_script {
	int64_t job_id;
	char name[3 * NAME_MAX + 1]; /* empty: not known. Each byte that is no UTF-8 has become three */
};

/*
 * Finds the batch script's own name in what stint-slurm-job said (may be NULL).
 */
void merge_find_script(struct json_object *slurm, int64_t job_id, struct merge_script *script);

/*
 * Returns the name of the tool that @entry, of @record's timeline or another of its
 * lists, tells by its index, or NULL. Borrowed.
 */
const char *merge_tool_name(struct json_object *record, struct json_object *entry, const struct merge_script *script);

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
 * Returns the report's steps, by start. What is not known of one, but of the job, is
 * named in @gaps as steps.ID.NAME.
 *
 * @empty: the ids of those in which no process of the user's ran, on all of their
 *         nodes, are added
 */
struct json_object *merge_steps(struct json_object *const records[], size_t count, struct json_object *gaps,
				struct json_object *empty);

/*
 * Puts exit_code and signal (0: none) of a wait status.
 */
void merge_put_exit(struct json_object *out, int64_t status);

/*
 * Returns the name that the report has for the tool @json of a record. Borrowed.
 */
const char *merge_name_of_tool(struct json_object *json, const struct merge_script *script);

#endif
