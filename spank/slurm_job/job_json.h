/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes a job as JSON for stint-slurm-job, from slurmctld or slurmdbd. */
#ifndef STINT_JOB_JSON_H
#define STINT_JOB_JSON_H

#include <json-c/json.h>
#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

/*
 * Returns the JSON object of @job. Leaves out members that are not known.
 *
 * These members are null instead:
 * - "array_job_id" and "array_task_id" outside of an array
 * - "het_job_id" and "het_job_offset" outside of a heterogeneous job
 * - "time_limit_s" if unlimited
 *
 * Leaves out the start of a pending job, and the end of a job that has not ended: Slurm only expects these times.
 */
struct json_object *job_json(job_info_t *job);

/*
 * Describes a row of slurmdbd like job_json(), with the members that slurmdbd knows.
 * The object also has "cluster" and "elapsed_s".
 */
struct json_object *job_json_row(const slurmdb_job_rec_t *row);

/* Like job_json_row(), without "work_dir", which may be long. For many rows. */
struct json_object *job_json_ended(const slurmdb_job_rec_t *row);

/* Returns an array of the hosts in @hosts ("n[1-2]"); NULL if it is no host list. */
struct json_object *job_json_hosts(const char *hosts);

#endif
