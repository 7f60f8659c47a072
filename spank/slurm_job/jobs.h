/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the jobs of one user, or of all users, within a window of time. Asks slurmdbd or slurmctld only once, no
 * matter how many jobs there are. The question never lists job ids, because slurmdbd would then search all of its
 * history.
 */
#ifndef STINT_JOBS_H
#define STINT_JOBS_H

#include <stdint.h>
#include <time.h>

#include <json-c/json.h>

#define JOBS_MOST 10000 /* the most jobs in one answer */
#define JOBS_BYTES_MOST (60u << 20) /* the most bytes in one answer; reports/slurm/slurm_jobs.c accepts slightly more */
#define JOBS_EVERYBODY UINT32_MAX

/* Asks for jobs that were submitted before @until_s and had not ended before @since_s. Times are in seconds since 1970. */
struct jobs_question {
	time_t since_s, until_s;
	uint32_t uid; /* the user whose jobs are wanted; JOBS_EVERYBODY: all jobs that Slurm shows to the caller */
};

/*
 * Prints the jobs that slurmdbd knows, the newest first. Calls @print with one object for each job, and @print owns
 * the object. An object has the members of job_json_row(). If a job was requeued, prints only its latest attempt.
 * Prints at most JOBS_MOST jobs and at most JOBS_BYTES_MOST bytes. If it leaves out jobs because of these limits, the
 * last object has only the member "left_out", which is the number of jobs left out.
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *jobs_of_accounting(const struct jobs_question *question, int (*print)(struct json_object *job));

/*
 * Like jobs_of_accounting(), but prints the jobs that slurmctld still remembers (slurm.conf: MinJobAge). Each object
 * is that of job_json().
 */
const char *jobs_of_controller(const struct jobs_question *question, int (*print)(struct json_object *job));

/*
 * Prints all jobs of all users that slurmdbd knows and that ended from @question's since_s to until_s - 1. Prints
 * each attempt of a requeued job, and also jobs that never started. The objects are those of jobs_of_accounting(),
 * but without "work_dir" and with "qos".
 *
 * @cluster: the cluster's name; NULL: the cluster of this host
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *jobs_ended(const char *cluster, const struct jobs_question *question,
		       int (*print)(struct json_object *job));

#endif
