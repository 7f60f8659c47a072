/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs of a user, or of all users, within a window of time: one question to slurmdbd, or to slurmctld, whatever the
 * number of jobs. It never asks for a list of ids, because slurmdbd would search all of its history.
 */
#ifndef STINT_JOBS_H
#define STINT_JOBS_H

#include <stdint.h>
#include <time.h>

#include <json-c/json.h>

#define JOBS_MOST 10000 /* the most jobs in one answer */
#define JOBS_BYTES_MOST (60u << 20) /* the most bytes in one answer: reports/slurm/slurm_jobs.c reads a little more */
#define JOBS_EVERYBODY UINT32_MAX

/* Jobs that were submitted before @until_s and had not ended before @since_s (seconds since 1970). */
struct jobs_question {
	time_t since_s, until_s;
	uint32_t uid; /* JOBS_EVERYBODY: all that Slurm shows to the caller */
};

/*
 * Prints the jobs that slurmdbd knows, the newest first, with @print, which owns each object: job_json()'s members, as
 * far as slurmdbd has them, "cluster" and "elapsed_s". A requeued job has only its latest attempt. If there are more
 * than JOBS_MOST, or they have more than JOBS_BYTES_MOST, the last object has only "left_out", the number of the
 * others.
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *jobs_of_accounting(const struct jobs_question *question, int (*print)(struct json_object *job));

/*
 * Like jobs_of_accounting(), for jobs that slurmctld has not forgotten yet (slurm.conf: MinJobAge): job_json()'s
 * objects.
 */
const char *jobs_of_controller(const struct jobs_question *question, int (*print)(struct json_object *job));

/*
 * Prints all jobs of all users that ended from @question's since_s to until_s - 1, from slurmdbd: each attempt of a
 * requeued one, and those that never started. They are jobs_of_accounting()'s objects, but without "work_dir", and have
 * "qos".
 *
 * @cluster: NULL: that of this host
 *
 * Returns NULL; otherwise why there is no answer.
 */
const char *jobs_ended(const char *cluster, const struct jobs_question *question,
		       int (*print)(struct json_object *job));

#endif
