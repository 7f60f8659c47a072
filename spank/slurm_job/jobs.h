/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the jobs of a user, or of all users, within a window of time. This needs one question to slurmdbd or
 * slurmctld, whatever the number of jobs. The question never contains a list of job ids, because slurmdbd would then
 * search all of its history.
 */
#ifndef STINT_JOBS_H
#define STINT_JOBS_H

#include <stdint.h>
#include <time.h>

#include <json-c/json.h>

#define JOBS_MOST 10000 /* the most jobs in one answer */
#define JOBS_BYTES_MOST (60u << 20) /* the most bytes in one answer: reports/slurm/slurm_jobs.c reads a little more */
#define JOBS_EVERYBODY UINT32_MAX

/* Asks for jobs that were submitted before @until_s and had not ended before @since_s (seconds since 1970). */
struct jobs_question {
	time_t since_s, until_s;
	uint32_t uid; /* the jobs' user; JOBS_EVERYBODY: all jobs that Slurm shows to the caller */
};

/*
 * Prints the jobs that slurmdbd knows, the newest first. Calls @print for each object, and @print owns the object. An
 * object has the members of job_json(), as far as slurmdbd knows them, and "cluster" and "elapsed_s". If a job was
 * requeued, only its latest attempt is printed. If there are more than JOBS_MOST jobs, or they have more than
 * JOBS_BYTES_MOST bytes, the others are not printed. Then the last object has only "left_out", the number of the
 * others.
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *jobs_of_accounting(const struct jobs_question *question, int (*print)(struct json_object *job));

/*
 * Like jobs_of_accounting(), but prints the jobs that slurmctld has not forgotten yet (slurm.conf: MinJobAge), as
 * objects of job_json().
 */
const char *jobs_of_controller(const struct jobs_question *question, int (*print)(struct json_object *job));

/*
 * Prints all jobs of all users that slurmdbd knows and that ended from @question's since_s to until_s - 1. Each attempt
 * of a requeued job is printed, and so are jobs that never started. The objects are those of jobs_of_accounting(), but
 * without "work_dir" and with "qos".
 *
 * @cluster: the cluster's name; NULL: the cluster of this host
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *jobs_ended(const char *cluster, const struct jobs_question *question,
		       int (*print)(struct json_object *job));

#endif
