/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the report that says which job it was, and how it ended. */
#ifndef STINT_JOB_H
#define STINT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/build.h"
#include "reports/record.h"

/* When the job was, by Slurm's whole seconds, or where it does not tell by what its nodes saw. 0: not known. */
struct job_span {
	int64_t start_ns, end_ns; /* since 1970 UTC */
	int64_t elapsed_ns;       /* job.elapsed_s */
};

/*
 * Puts the fields of the report's "job" into @job.
 *
 * @gaps: what is not known is added
 * @span: filled
 *
 * Returns true when the elapsed time is known.
 */
bool job_put(const struct build_input *input, struct json_object *job, struct json_object *gaps,
	     struct job_span *span);

/*
 * Adds a gap for each node that saw no step of the job, and may have missed one: it was started anew, or
 * began to count, after this attempt of the job began.
 *
 * Returns true when there is such a node.
 */
bool job_unseen(const struct build_input *input, struct json_object *gaps);

/*
 * Gives @record, and @identity, the number of the attempt that it is of.
 *
 * A node that saw no step has it from the epilog, and the epilog of a job that is requeued tells the next attempt's
 * already. One that has not begun, by what @slurm says now, or began after the job was closed here, is not meant.
 *
 * @slurm: its answer; NULL: none
 */
void job_settle_attempt(struct json_object *record, struct json_object *slurm, struct record_identity *identity);

/*
 * Adds a gap whose reason is that Slurm did not say.
 */
void job_gap(const struct build_input *input, struct json_object *gaps, const char *name);

#endif
