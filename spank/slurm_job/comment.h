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

/* Identifies a row of slurmdbd. All values come from slurmctld. */
struct comment_job {
	const char *cluster;
	uint32_t id; /* the job's own id */
	uint32_t array_job_id; /* 0: not a task of an array */
	uint32_t array_task_id; /* only valid for a task of an array */
	uint32_t uid; /* uid of the job's user */
	time_t submit; /* submit time; distinguishes the attempts of a job, and jobs that had the same id */
};

/*
 * Fills @selected for a question to slurmdbd about @job. A task of an array is selected by its array's id and its task
 * number, because the plain id of an array's last task is also the id of the array.
 */
void comment_select_job(const struct comment_job *job, slurm_selected_step_t *selected);

/*
 * Sets the AdminComment of one job to @text, if its row has no comment yet, or only another job summary
 * (reports/deliver/js1.h).
 *
 * A task of an array is selected by its array's id and its task number. The plain id of an array's last task is also
 * the id of the array, so all tasks would get the comment. The selection must find exactly the intended row. The same
 * selection then chooses the row to change.
 *
 * Returns NULL; otherwise one line that says why the comment was not set.
 */
const char *comment_set(const struct comment_job *job, const char *text);

#endif
