/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets a job's AdminComment in slurmdbd. slurmctld refuses to change the comment of a job that has ended, and a job has
 * ended when its epilog runs.
 */
#ifndef STINT_COMMENT_H
#define STINT_COMMENT_H

#include <stdint.h>
#include <time.h>

#include "spank/slurm_job/slurm_compat.h"

/* Identifies a row of slurmdbd. All values are slurmctld's. */
struct comment_job {
	const char *cluster;
	uint32_t id; /* the job's own */
	uint32_t array_job_id; /* 0: not a task of an array */
	uint32_t array_task_id; /* only of a task of an array */
	uint32_t uid; /* of the job's user */
	time_t submit; /* distinguishes the attempts of a job, and jobs that had the same id */
};

/*
 * Fills @selected for a question to slurmdbd about @job. A task of an array is looked up by its array: the plain id of an array's
 * last task is also the id of the array.
 */
void comment_select_job(const struct comment_job *job, slurm_selected_step_t *selected);

/*
 * Sets the AdminComment of one job, if its row has no comment yet, or only another job summary (reports/deliver/js1.h).
 *
 * A task of an array is looked up by its array. The plain id of an array's last task is also the id of the array: with
 * it, all tasks would get the comment. The result must be exactly the intended row, and the same condition selects the
 * row to change.
 *
 * Returns NULL; otherwise one line that says why it was not set.
 */
const char *comment_set(const struct comment_job *job, const char *text);

#endif
