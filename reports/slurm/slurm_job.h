/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks Slurm through the helper program stint-slurm-job. Only the helper links libslurm, so only the helper must match
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
#define SLURM_JOB_WAIT_MS 5000 /* the longest wait for Slurm; a busy slurmctld needs seconds */
#define SLURM_JOB_UNKNOWN "Invalid job id" /* part of the error for a job that slurmctld does not know; the text is that of
					    * slurm_strerror() */
#define SLURM_JOB_COMMENT_WAIT_MS 3000 /* the longest wait for slurmdbd; no other process waits for this process at that time */

/*
 * Fills @path with the path of the helper. If the environment sets STINT_LIBEXEC, and this program has no more rights
 * than the user who started it, the path is STINT_LIBEXEC/stint-slurm-job. Otherwise it is the path of the installed
 * helper.
 *
 * Returns 0; -1 with @err set if there is no such program.
 */
int slurm_job_helper(char path[PATH_MAX], struct error *err);

/*
 * Asks Slurm about the job @id, such as "12" or "10_2".
 *
 * @socket: the socket of a running helper (collector/asking.h). If no helper answers there, or if @socket is NULL,
 * starts a helper
 *
 * Returns the answer, with this one job, for slurm_answer_free(); NULL with @err set if there is no such job, no answer
 * in time, or no helper.
 */
struct slurm_answer *slurm_job(const char *socket, const char *id, struct error *err);

/*
 * Expands a node list ("n[1-2]") into names, and appends them to @names, in @memory. @socket: as in slurm_job()
 *
 * Returns 0; -1 with @err set.
 */
int slurm_job_expand(const char *socket, const char *node_list, struct report *memory, struct report_texts *names,
		     struct error *err);

/*
 * Makes slurmdbd store @text as the AdminComment of the job @slurm. Fails unless slurmdbd's row of the job is for the
 * same user and the same submission. Also fails if the row has a comment that is not a job summary.
 *
 * Returns 0; -1 with @err set.
 */
int slurm_job_comment(const char *cluster, const struct record_slurm_job *slurm, const char *text, struct error *err);

/* A step that srun started and that has ended. */
struct slurm_step {
	int64_t id;
	int64_t elapsed_s; /* -1: not known */
	bool timed_out;    /* the step reached a time limit of its own */
};

struct slurm_steps {
	struct slurm_step *list;
	size_t count;
};

/*
 * Asks slurmdbd for the steps of the job @slurm.
 *
 * Returns 0 with @steps filled. The caller must free the list in @steps. On failure returns -1 with @err set.
 */
int slurm_job_steps(const char *cluster, const struct record_slurm_job *slurm, struct slurm_steps *steps, struct error *err);

#endif
