/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks Slurm for many jobs at once, through stint-slurm-job. One question covers all jobs of a window of time. */
#ifndef STINT_SLURM_JOBS_H
#define STINT_SLURM_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/records/record.h"

#define SLURM_JOBS_EVERYBODY (-1)
#define SLURM_JOBS_WAIT_MS 25000 /* the longest wait for each of slurmdbd and slurmctld */

/* Asks for the jobs that were submitted before @until_s and had not ended before @since_s (seconds since 1970). */
struct slurm_jobs_question {
	int64_t since_s, until_s;
	int64_t uid; /* the user who owns the jobs. SLURM_JOBS_EVERYBODY means all users whose jobs Slurm shows to this user */
};

struct slurm_jobs {
	struct slurm_answer *answer; /* has the jobs, the newest first, as far as the order is known */
	int64_t left_out;            /* how many older jobs did not fit into the answer; 0 if none */
	bool of_controller;          /* slurmdbd did not answer, so older jobs are not known */
	struct error why;            /* if of_controller is true, why slurmdbd did not answer */
};

/*
 * Asks slurmdbd. If slurmdbd does not answer, asks slurmctld, which remembers only the latest jobs. For a requeued job,
 * the answer has only the latest attempt.
 *
 * Returns 0 with @jobs set, for slurm_jobs_free(); -1 with @err set if neither answered.
 */
int slurm_jobs_ask(const struct slurm_jobs_question *question, struct slurm_jobs *jobs, struct error *err);

void slurm_jobs_free(struct slurm_jobs *jobs);

/*
 * Reads lines of stint-slurm-job, each of which is the JSON object of a job.
 *
 * @text: memory from malloc(); the function becomes its owner, even on failure
 *
 * Returns the same as slurm_answer_read().
 */
struct slurm_answer *slurm_jobs_read(char *text, const char *name, struct error *err);

#endif
