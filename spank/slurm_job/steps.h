/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds a job's steps that reached their own time limit (srun --time=). slurmctld forgets ended steps, so slurmdbd is
 * asked.
 */
#ifndef STINT_STEPS_H
#define STINT_STEPS_H

#include <json-c/json.h>

#include "spank/slurm_job/comment.h"

#define STEPS_MOST 4096 /* of a job that are printed */

/*
 * Appends an object to @out for each ended srun step that slurmdbd knows: "id", "elapsed_s", and "timed_out": true at
 * its own time limit. The uid of @job is not used.
 *
 * Returns NULL, or why there is no answer.
 */
const char *steps_of_accounting(const struct comment_job *job, struct json_object *out);

#endif
