/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes a job as the JSON object that stint-slurm-job prints. The facts come from slurmctld or slurmdbd. */
#ifndef STINT_JOB_JSON_H
#define STINT_JOB_JSON_H

#include <json-c/json.h>
#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

/*
 * Returns the JSON object of @job. Leaves out members whose value is not known. But "array_job_id", "array_task_id",
 * "het_job_id" and "het_job_offset" are null if the job is not in an array, or not in a heterogeneous job.
 * "time_limit_s" is null if the time is unlimited. Leaves out the start of a pending job, and the end of a job that
 * has not ended, because Slurm has times in the future there.
 */
struct json_object *job_json(job_info_t *job);

/*
 * Like job_json(), but describes a row of slurmdbd. The object has the members that slurmdbd knows, and in addition
 * "cluster" and "elapsed_s".
 */
struct json_object *job_json_row(const slurmdb_job_rec_t *row);

/* Like job_json_row(), but without "work_dir", which may be the longest member. Use this for large numbers of rows. */
struct json_object *job_json_ended(const slurmdb_job_rec_t *row);

/* Returns an array of the host names that @hosts ("n[1-2]") stands for; NULL if @hosts is no host list. */
struct json_object *job_json_hosts(const char *hosts);

#endif
