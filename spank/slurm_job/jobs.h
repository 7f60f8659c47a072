/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints jobs of one user or all users in a window of time. Asks slurmdbd or slurmctld once for all jobs.
 *
 * The question lists no job ids: if it did, slurmdbd would search all its history.
 */
#ifndef STINT_JOBS_H
#define STINT_JOBS_H

#include <stdint.h>
#include <time.h>

#include <json-c/json.h>

#define JOBS_MOST 10000 /* in one answer */
#define JOBS_BYTES_MOST (60u << 20) /* in one answer; reports/slurm/slurm_jobs.c accepts slightly more */
#define JOBS_EVERYBODY UINT32_MAX

/* Jobs submitted before @until_s that had not ended before @since_s. In seconds since 1970. */
struct jobs_question {
	time_t since_s, until_s;
	uint32_t uid; /* whose jobs; JOBS_EVERYBODY: all that Slurm shows to the caller */
};

/*
 * Prints the jobs that slurmdbd knows, the newest first. Of a requeued job, prints only the latest attempt.
 *
 * @print: gets one object of job_json_row() for each job, and owns it
 *
 * Prints at most JOBS_MOST jobs and JOBS_BYTES_MOST bytes.
 * If jobs are left out, a last object has only "left_out": their number.
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *jobs_of_accounting(const struct jobs_question *question, int (*print)(struct json_object *job));

/*
 * Like jobs_of_accounting(), but prints jobs that slurmctld still remembers (slurm.conf: MinJobAge), as job_json()
 * objects.
 */
const char *jobs_of_controller(const struct jobs_question *question, int (*print)(struct json_object *job));

/*
 * Prints all jobs of all users that ended from since_s to until_s - 1. Prints each attempt of a requeued job, and also
 * jobs that never started. Objects are as in jobs_of_accounting(), but without "work_dir" and with "qos".
 *
 * @cluster: NULL for this host's cluster
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *jobs_ended(const char *cluster, const struct jobs_question *question,
		       int (*print)(struct json_object *job));

#endif
