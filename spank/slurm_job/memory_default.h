/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory that a site grants for each CPU to a job that asks for none: DefMemPerCPU of slurm.conf. */
#ifndef SPANK_MEMORY_DEFAULT_H
#define SPANK_MEMORY_DEFAULT_H

#include <json-c/json.h>

#include "spank/slurm_job/slurm_compat.h"

/*
 * Adds "memory_by_default" to @object, which job_json() made, if @job has exactly the memory that its partition, or
 * else the cluster, grants for each CPU. Asks slurmctld about the partitions only for a job that ran ten seconds or
 * longer: shorter ones get no advice, and there may be very many of them.
 */
void memory_default_add(struct json_object *object, const job_info_t *job);

#endif
