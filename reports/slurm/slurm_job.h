/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks Slurm through the helper program stint-slurm-job. The helper alone links libslurm, and so it alone must match
 * Slurm's version.
 */
#ifndef STINT_SLURM_JOB_H
#define STINT_SLURM_JOB_H

#include <limits.h>

#include <json-c/json.h>

#include "common/error.h"

#define SLURM_JOB_HELPER "stint-slurm-job"
#define SLURM_JOB_WAIT_MS 5000 /* the longest wait for Slurm: where much goes on, slurmctld takes seconds */
#define SLURM_JOB_UNKNOWN "Invalid job id" /* in the error of a job that slurmctld does not know: slurm_strerror()'s */
#define SLURM_JOB_COMMENT_WAIT_MS 3000 /* the longest wait for slurmdbd: nobody waits for us then */

/*
 * Fills @path with the helper's. It is STINT_LIBEXEC/stint-slurm-job where the environment names that (and this program
 * has no more rights than the user who started it), and else the installed one.
 *
 * Returns 0; -1 with @err set: there is no such program.
 */
int slurm_job_helper(char path[PATH_MAX], struct error *err);

/*
 * Asks for the job @id ("12", "10_2").
 *
 * @socket: where a running helper answers (collector/asking.h). Without an answer from there, and when @socket is NULL,
 *          a helper is started
 *
 * Returns the helper's JSON object, to be put; NULL with @err set: no such job, no answer in time, or no helper.
 */
struct json_object *slurm_job(const char *socket, const char *id, struct error *err);

/*
 * Expands a node list ("n[1-2]") into an array of names. @socket: as in slurm_job().
 *
 * Returns the array, to be put; NULL with @err set.
 */
struct json_object *slurm_job_expand(const char *socket, const char *node_list, struct error *err);

/*
 * Makes slurmdbd store @text as the AdminComment of a job. @slurm, the answer of slurm_job(), identifies the job.
 * slurmdbd's row must be of the same user and the same submission, and have no comment other than a job summary.
 *
 * Returns 0; -1 with @err set.
 */
int slurm_job_comment(const char *cluster, struct json_object *slurm, const char *text, struct error *err);

/*
 * Asks slurmdbd for the steps of that job that srun started and that have ended.
 *
 * Returns an array, to be put: of each "id", "elapsed_s", and "timed_out" if it reached a time limit of its own. NULL with
 * @err set.
 */
struct json_object *slurm_job_steps(const char *cluster, struct json_object *slurm, struct error *err);

#endif
