/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which steps of a job Slurm ended at a time limit of their own (srun --time=). slurmctld forgets a step when it ends:
 * only slurmdbd knows.
 */
#ifndef STINT_STEPS_H
#define STINT_STEPS_H

#include <json-c/json.h>

#include "spank/slurm_job/comment.h"

#define STEPS_MOST 4096 /* how many of a job's steps are read at most */

/*
 * Appends to the array @out an object for each ended step of srun that slurmdbd knows for @job: "id" (its number),
 * "elapsed_s", and "timed_out": true for one that reached its own time limit. @job: its uid does not matter.
 *
 * Returns NULL; otherwise one line that says why there is no answer.
 */
const char *steps_of_accounting(const struct comment_job *job, struct json_object *out);

#endif
