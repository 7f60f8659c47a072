/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the nodes tell of the same tool or step, taken together; and their timelines in one. */
#ifndef STINT_MERGE_H
#define STINT_MERGE_H

#include <stddef.h>

#include <json-c/json.h>

/*
 * Returns the report's tools: those of one name, interpreter and paths are
 * one; by CPU time, most first.
 */
struct json_object *merge_tools(struct json_object *const records[], size_t count);

/*
 * Returns the report's timeline, by start.
 */
struct json_object *merge_timeline(struct json_object *const records[], size_t count);

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
