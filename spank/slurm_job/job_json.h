/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld or slurmdbd knows about a job, as the JSON object that stint-slurm-job prints. */
#ifndef STINT_JOB_JSON_H
#define STINT_JOB_JSON_H

#include <json-c/json.h>
#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

/*
 * Returns the object. Unknown values are absent. But "array_job_id", "array_task_id", "het_job_id" and "het_job_offset" are null
 * if the job is not in an array, or not in a heterogeneous job, and "time_limit_s" is null if it is unlimited. A start or an end
 * in the future (a requeued job has such a start) is absent.
 */
struct json_object *job_json(job_info_t *job);

/* Like job_json(), from slurmdbd's row: the same members if it has them, and "cluster" and "elapsed_s". */
struct json_object *job_json_row(const slurmdb_job_rec_t *row);

/* Like job_json_row(), for one of very many rows: without "work_dir", which may be the largest part of it. */
struct json_object *job_json_ended(const slurmdb_job_rec_t *row);

/* Returns the array of the names in @hosts ("n[1-2]"); NULL if it is no host list. */
struct json_object *job_json_hosts(const char *hosts);

#endif
