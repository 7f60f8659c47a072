/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks Slurm through the helper program stint-slurm-job.
 * Only the helper is linked with libslurm, so only the helper must match Slurm's version.
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
#define SLURM_JOB_WAIT_MS 5000 /* a busy slurmctld needs seconds */
#define SLURM_JOB_UNKNOWN "Invalid job id" /* part of slurm_strerror() for a job that slurmctld does not know */
#define SLURM_JOB_COMMENT_WAIT_MS 3000 /* longest wait for slurmdbd */

/*
 * Finds the helper: in the directory STINT_LIBEXEC if the environment sets it, else where it was installed.
 * A program with more rights than its caller ignores STINT_LIBEXEC (secure_getenv()).
 * Returns 0 with @path set; -1 with @err set if there is no helper.
 */
int slurm_job_helper(char path[PATH_MAX], struct error *err);

/*
 * Asks Slurm about the job @id, for example "12" or "10_2".
 * @socket: of a running helper (collector/asking.h). If NULL, or if no helper answers, starts a helper.
 * Returns the answer, with one job, for slurm_answer_free().
 * Returns NULL with @err set if there is no job, no answer in time or no helper.
 */
struct slurm_answer *slurm_job(const char *socket, const char *id, struct error *err);

/*
 * Appends the nodes of a list ("n[1-2]") to @names, in @memory.
 * @socket: see slurm_job().
 * Returns 0; -1 with @err set.
 */
int slurm_job_expand(const char *socket, const char *node_list, struct report *memory, struct report_texts *names,
		     struct error *err);

/*
 * Makes slurmdbd store @text as the AdminComment of the job @slurm.
 * Fails if slurmdbd's row has another user or another submit time.
 * Fails if the row has a comment that is not a job summary.
 * Returns 0; -1 with @err set.
 */
int slurm_job_comment(const char *cluster, const struct record_slurm_job *slurm, const char *text, struct error *err);

/* A step that srun started and that has ended. */
struct slurm_step {
	int64_t id;
	int64_t elapsed_s; /* -1: not known */
	bool timed_out;    /* reached the step's own time limit */
};

struct slurm_steps {
	struct slurm_step *list;
	size_t count;
};

/*
 * Asks slurmdbd for the steps of the job @slurm.
 * Returns 0 with @steps->list set, for free(); -1 with @err set.
 */
int slurm_job_steps(const char *cluster, const struct record_slurm_job *slurm, struct slurm_steps *steps, struct error *err);

#endif
