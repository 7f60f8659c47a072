/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A requeued job keeps its id, and so the name of its report. That name has the
 * latest attempt's; an earlier one's stands beside it: stint-12.json and
 * stint-12.attempt-1.json.
 *
 * What stands there already lies in the user's directory and may be the user's
 * own invention: it decides over nothing but that user's own report.
 */
#ifndef STINT_ATTEMPT_H
#define STINT_ATTEMPT_H

#include <limits.h>
#include <stdbool.h>

#include <json-c/json.h>

#include "collector/common/error.h"
#include "reports/record.h"

#define ATTEMPT_BYTES_MAX (96u << 20) /* of a report that is there; one that is longer is none of ours */

/*
 * Makes @out of the report's name @name: ".attempt-N" stands before its
 * ".json", or at its end. Where that is too long, it is the default name of the job @job_id.
 */
void attempt_name(const char *name, int64_t job_id, int64_t attempt, char out[NAME_MAX + 1]);

/*
 * Names in the gaps of @report, which is to be written as @name in the directory @dirfd, each earlier attempt of the job
 * that left no report there: one that a node's crash ended has nobody else to tell of it.
 */
void attempt_tell_missing(int dirfd, const char *name, struct json_object *report);

/*
 * Writes @report, whose text is @text, into the directory @dirfd as @name. But
 * - a report of an earlier attempt of the same job that has this name is kept under its attempt's name first;
 * - when one of a later attempt has it, @report gets its own attempt's name;
 * - one of the same attempt that tells of more nodes, or of work where @report tells of none, stays.
 *
 * @name: becomes the one that the report has
 *
 * Returns 0; -1 with @err and errno set, and what was there is there still.
 */
int attempt_write(int dirfd, char name[NAME_MAX + 1], struct json_object *report, const char *text, size_t len,
		  struct error *err);

/*
 * Returns true when the report @name of the directory @dirfd is of the job and attempt @job already, and
 * tells of @node; of all of @node_count nodes when @node is NULL.
 *
 * @slurm: what Slurm says of the job, or NULL; when it was submitted at another time, it is another job
 */
bool attempt_told(int dirfd, const char *name, const struct record_identity *job, struct json_object *slurm,
		  const char *node, size_t node_count);

#endif
