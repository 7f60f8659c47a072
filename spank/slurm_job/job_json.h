/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the JSON object that stint-slurm-job prints, from what slurmctld or slurmdbd knows about a job. */
#ifndef STINT_JOB_JSON_H
#define STINT_JOB_JSON_H

#include <json-c/json.h>
#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

/*
 * Returns the object of @job. Unknown values are absent. But "array_job_id", "array_task_id", "het_job_id" and
 * "het_job_offset" are null if the job is not in an array, or not in a heterogeneous job, and "time_limit_s" is null if
 * it is unlimited. The start of a pending job and the end of a job that has not ended are absent: Slurm has times in
 * the future there.
 */
struct json_object *job_json(job_info_t *job);

/*
 * Like job_json(), for a row of slurmdbd. The object has the same members, as far as slurmdbd knows them, and "cluster"
 * and "elapsed_s".
 */
struct json_object *job_json_row(const slurmdb_job_rec_t *row);

/* Like job_json_row(), but without "work_dir", which may be the largest part. Use it for very many rows. */
struct json_object *job_json_ended(const slurmdb_job_rec_t *row);

/* Returns an array of the names in @hosts ("n[1-2]"); NULL if @hosts is no host list. */
struct json_object *job_json_hosts(const char *hosts);

#endif
