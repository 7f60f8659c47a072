/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds whether a job has the memory that a site grants for each CPU to jobs that ask for none: DefMemPerCPU of slurm.conf. */
#ifndef SPANK_MEMORY_DEFAULT_H
#define SPANK_MEMORY_DEFAULT_H

#include <json-c/json.h>

#include "spank/slurm_job/slurm_compat.h"

/*
 * Adds "memory_by_default" to @object, which job_json() made, if @job has exactly the memory per CPU that its partition
 * grants by default. If the partition has no default, the cluster's default counts. Asks slurmctld about the partitions
 * only for a job that ran ten seconds or longer: shorter jobs get no advice, and there may be very many of them.
 */
void memory_default_add(struct json_object *object, const job_info_t *job);

#endif
