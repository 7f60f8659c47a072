/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the steps of a job that Slurm ended because they reached their own time limit (srun --time=). Asks slurmdbd,
 * because slurmctld forgets a step when the step ends.
 */
#ifndef STINT_STEPS_H
#define STINT_STEPS_H

#include <json-c/json.h>

#include "spank/slurm_job/comment.h"

#define STEPS_MOST 4096 /* the most steps of a job that are printed */

/*
 * Appends one object to the array @out for each step of srun that has ended, if slurmdbd knows the step. The object
 * has "id" (the step's number) and "elapsed_s". If the step reached its own time limit, the object also has
 * "timed_out": true. Does not use the uid of @job.
 *
 * Returns NULL; otherwise one line that says why there is no answer.
 */
const char *steps_of_accounting(const struct comment_job *job, struct json_object *out);

#endif
