/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether a job has the default memory per CPU (DefMemPerCPU).
 * Slurm gives the default to jobs that do not ask for memory.
 */
#ifndef SPANK_MEMORY_DEFAULT_H
#define SPANK_MEMORY_DEFAULT_H

#include <json-c/json.h>

#include "spank/slurm_job/slurm_compat.h"

/*
 * Adds "memory_by_default" to @object if @job has exactly the default memory per CPU of its partition or cluster.
 *
 * Skips jobs shorter than ten seconds, because they get no advice.
 */
void memory_default_add(struct json_object *object, const job_info_t *job);

#endif
