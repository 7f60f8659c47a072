/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets a job's AdminComment in slurmdbd, because slurmctld refuses to change the comment of a job that has ended.
 * When the epilog of a job runs, the job has already ended.
 */
#ifndef STINT_COMMENT_H
#define STINT_COMMENT_H

#include <stdint.h>
#include <time.h>

#include "spank/slurm_job/slurm_compat.h"

/* Identifies the row of a job in slurmdbd. All values come from slurmctld. */
struct comment_job {
	const char *cluster;
	uint32_t id; /* the job's own id */
	uint32_t array_job_id; /* 0: not a task of an array */
	uint32_t array_task_id; /* only valid for a task of an array */
	uint32_t uid; /* uid of the job's user */
	time_t submit; /* submit time; differs between the attempts of a job, and between jobs that had the same id */
};

/*
 * Fills @selected, so that a question to slurmdbd is about @job. If @job is a task of an array, selects it by the id
 * of the array and the number of the task. Its plain id would not do, because the last task of an array has the same
 * id as the array itself.
 */
void comment_select_job(const struct comment_job *job, slurm_selected_step_t *selected);

/*
 * Sets the AdminComment of one job to @text. Does so only if the job's row has no comment yet, or a job summary that
 * may be replaced (common/js1_form.h).
 *
 * Selects a task of an array by the id of the array and the number of the task. If it used the plain id, all tasks
 * might get the comment, because the last task of an array has the same id as the array itself. Checks first that the
 * selection finds exactly the intended row, and then changes the row with the same selection.
 *
 * Returns NULL; otherwise one line that says why the comment was not set.
 */
const char *comment_set(const struct comment_job *job, const char *text);

#endif
