/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets a job's AdminComment in slurmdbd, because slurmctld refuses this for a job that has ended. */
#ifndef STINT_COMMENT_H
#define STINT_COMMENT_H

#include <stdint.h>
#include <time.h>

#include "spank/slurm_job/slurm_compat.h"

/* Identifies a job's row in slurmdbd. The values come from slurmctld. */
struct comment_job {
	const char *cluster;
	uint32_t id;
	uint32_t array_job_id; /* 0: not a task of an array */
	uint32_t array_task_id; /* only for a task of an array */
	uint32_t uid;
	time_t submit; /* differs between attempts, and between jobs that had the same id */
};

/*
 * Selects @job for slurmdbd.
 *
 * The last task of an array has the same id as the array. So a task is selected by the array's id and its task number.
 */
void comment_select_job(const struct comment_job *job, slurm_selected_step_t *selected);

/*
 * Sets a job's AdminComment. Does not replace a comment, except some job summaries (common/js1_form.h).
 *
 * Checks first that slurmdbd selects only this job's row. Without this check, all tasks of an array might get the
 * comment.
 *
 * Returns NULL; otherwise one line that says why the comment was not set.
 */
const char *comment_set(const struct comment_job *job, const char *text);

#endif
