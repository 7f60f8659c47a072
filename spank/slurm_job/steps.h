/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds a job's steps that reached their own time limit (srun --time=).
 * Asks slurmdbd, because slurmctld forgets steps that have ended.
 */
#ifndef STINT_STEPS_H
#define STINT_STEPS_H

#include <json-c/json.h>

#include "spank/slurm_job/comment.h"

#define STEPS_MOST 4096 /* of a job that are printed */

/*
 * Appends an object with "id" and "elapsed_s" to @out for each ended srun step that slurmdbd knows.
 * If the step reached its own time limit, the object also has "timed_out": true. The uid of @job is not used.
 *
 * Returns NULL, or why there is no answer.
 */
const char *steps_of_accounting(const struct comment_job *job, struct json_object *out);

#endif
