/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks Slurm for all jobs of a window of time, through stint-slurm-job. */
#ifndef STINT_SLURM_JOBS_H
#define STINT_SLURM_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/records/record.h"

#define SLURM_JOBS_EVERYBODY (-1)
#define SLURM_JOBS_WAIT_MS 25000 /* longest wait for slurmdbd, and then for slurmctld */

/* Jobs that were submitted before @until_s and had not ended before @since_s (seconds since 1970). */
struct slurm_jobs_question {
	int64_t since_s, until_s;
	int64_t uid; /* owner of the jobs, or SLURM_JOBS_EVERYBODY for all users whose jobs Slurm shows to the caller */
};

struct slurm_jobs {
	struct slurm_answer *answer; /* the newest jobs first, as far as known */
	int64_t left_out;            /* older jobs that did not fit into the answer */
	bool of_controller;          /* slurmdbd did not answer, so older jobs are not known */
	struct error why;            /* why slurmdbd did not answer */
};

/*
 * Asks slurmdbd, or slurmctld if slurmdbd does not answer. slurmctld knows only the latest jobs.
 * The answer has only the latest attempt of a requeued job.
 * Returns 0 with @jobs set, for slurm_jobs_free(); -1 with @err set.
 */
int slurm_jobs_ask(const struct slurm_jobs_question *question, struct slurm_jobs *jobs, struct error *err);

void slurm_jobs_free(struct slurm_jobs *jobs);

/*
 * Reads lines of stint-slurm-job: one JSON object for each job.
 * @text: from malloc(). The function frees it, also on failure.
 * Returns the result of slurm_answer_read().
 */
struct slurm_answer *slurm_jobs_read(char *text, const char *name, struct error *err);

#endif
