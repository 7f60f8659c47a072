/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld knows of a job, as the JSON object that stint-slurm-job prints. */
#ifndef STINT_JOB_JSON_H
#define STINT_JOB_JSON_H

#include <json-c/json.h>
#include <slurm/slurm.h>

/*
 * Returns the object; what is not known is absent, but "array_job_id",
 * "array_task_id", "het_job_id" (null: not one) and "time_limit_s" (null:
 * unlimited) stand there. A start that is still to come, as of a requeued job,
 * and an end that is, are absent.
 */
struct json_object *job_json(job_info_t *job);

/*
 * Returns the array of the names that @hosts ("n[1-2]") stands for; NULL when
 * it is no host list.
 */
struct json_object *job_json_hosts(const char *hosts);

#endif
