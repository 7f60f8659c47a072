/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which steps of a job were ended by Slurm because they reached their own time limit (srun --time=). slurmctld
 * forgets a step when it ends, so only slurmdbd knows this.
 */
#ifndef STINT_STEPS_H
#define STINT_STEPS_H

#include <json-c/json.h>

#include "spank/slurm_job/comment.h"

#define STEPS_MOST 4096 /* the most steps of a job that are read */

/*
 * Appends to the array @out an object for each ended step of srun that slurmdbd knows for @job. The object has "id"
 * (the step's number) and "elapsed_s". It also has "timed_out": true if the step reached its own time limit. The uid of
 * @job does not matter.
 *
 * Returns NULL; otherwise one line that says why there is no answer.
 */
const char *steps_of_accounting(const struct comment_job *job, struct json_object *out);

#endif
