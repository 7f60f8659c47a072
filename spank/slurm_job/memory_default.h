/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether a job has the default memory per CPU. A site grants it to jobs that ask for no memory
 * (DefMemPerCPU of slurm.conf).
 */
#ifndef SPANK_MEMORY_DEFAULT_H
#define SPANK_MEMORY_DEFAULT_H

#include <json-c/json.h>

#include "spank/slurm_job/slurm_compat.h"

/*
 * Adds "memory_by_default" to @object, which job_json() made, if @job has exactly the memory per CPU that its
 * partition grants by default. If the partition has no default, compares with the cluster's default. Asks slurmctld
 * about the partitions only if the job ran for ten seconds or longer. Shorter jobs get no advice, and there may be
 * very many of them.
 */
void memory_default_add(struct json_object *object, const job_info_t *job);

#endif
