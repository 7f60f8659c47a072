/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks Slurm through the helper program stint-slurm-job. The helper alone links libslurm, and so it alone must match
 * Slurm's version.
 */
#ifndef STINT_SLURM_JOB_H
#define STINT_SLURM_JOB_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/records/record.h"

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
 * Returns the answer, which has this one job, for slurm_answer_free(); NULL with @err set: no such job, no answer in time,
 * or no helper.
 */
struct slurm_answer *slurm_job(const char *socket, const char *id, struct error *err);

/*
 * Expands a node list ("n[1-2]") into names, which are appended to @names, in @memory. @socket: as in slurm_job().
 *
 * Returns 0; -1 with @err set.
 */
int slurm_job_expand(const char *socket, const char *node_list, struct report *memory, struct report_texts *names,
		     struct error *err);

/*
 * Makes slurmdbd store @text as the AdminComment of the job @slurm.
 * slurmdbd's row must be of the same user and the same submission, and have no comment other than a job summary.
 *
 * Returns 0; -1 with @err set.
 */
int slurm_job_comment(const char *cluster, const struct record_slurm_job *slurm, const char *text, struct error *err);

/* A step that srun started and that has ended. */
struct slurm_step {
	int64_t id;
	int64_t elapsed_s; /* -1: not known */
	bool timed_out;    /* it reached a time limit of its own */
};

struct slurm_steps {
	struct slurm_step *list;
	size_t count;
};

/*
 * Asks slurmdbd for the steps of the job @slurm.
 *
 * Returns 0 with @steps filled, whose list is to be freed; -1 with @err set.
 */
int slurm_job_steps(const char *cluster, const struct record_slurm_job *slurm, struct slurm_steps *steps, struct error *err);

#endif
