/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/slurm_job/steps.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "common/control.h"
#include "common/json_writer.h"
#include "spank/slurm_job/slurm_compat.h"

static bool has_ended(const slurmdb_step_rec_t *step)
{
	return (step->state & JOB_STATE_BASE) > JOB_SUSPENDED;
}

static void add_steps(const slurmdb_job_rec_t *row, struct json_object *out)
{
	compat_list_iterator_t at = slurm_list_iterator_create(row->steps);
	const slurmdb_step_rec_t *step;

	while ((step = slurm_list_next(at)) && json_object_array_length(out) < STEPS_MOST) {
		struct json_object *object;

		if (step->step_id.step_id >= STEPS_OF_SRUN || !has_ended(step))
			continue;
		object = json_object_new_object();
		put_count(object, "id", step->step_id.step_id);
		put_count(object, "elapsed_s", step->elapsed);
		if ((step->state & JOB_STATE_BASE) == JOB_TIMEOUT)
			put_flag(object, "timed_out", true);
		json_object_array_add(out, object);
	}
	slurm_list_iterator_destroy(at);
}

/*
 * Adds the steps of @job's row.
 * @rows may also have other attempts of the job, and other jobs. Their submit time or job id differs.
 *
 * Returns NULL; otherwise why there are no steps.
 */
static const char *add_rows(compat_list_t rows, const struct comment_job *job, struct json_object *out)
{
	compat_list_iterator_t at = slurm_list_iterator_create(rows);
	const slurmdb_job_rec_t *row;
	bool found = false;

	while (!found && (row = slurm_list_next(at))) {
		found = row->jobid == job->id && row->submit == job->submit;
		if (found && row->steps)
			add_steps(row, out);
	}
	slurm_list_iterator_destroy(at);
	return found ? NULL : "slurmdbd does not know the job";
}

static const char *ask(void *connection, slurmdb_job_cond_t *which, const struct comment_job *job, struct json_object *out)
{
	compat_list_t rows;
	const char *why;

	errno = SLURM_SUCCESS;
	rows = slurmdb_jobs_get(connection, which);
	if (!rows)
		return errno ? slurm_strerror(errno) : "slurmdbd does not know the job";
	why = add_rows(rows, job, out);
	slurm_list_destroy(rows);
	return why;
}

const char *steps_of_accounting(const struct comment_job *job, struct json_object *out)
{
	slurmdb_job_cond_t which = {
		/* with JOBCOND_FLAG_NO_TRUNC, slurmdbd 22.05 would leave out all steps */
		.flags = JOBCOND_FLAG_NO_WHOLE_HETJOB | JOBCOND_FLAG_NO_DEFAULT_USAGE,
		.db_flags = SLURMDB_JOB_FLAG_NOTSET,
	};
	void *connection = slurmdb_connection_get(NULL);
	slurm_selected_step_t selected;
	const char *why;

	if (!connection)
		return "there is no slurmdbd (slurm.conf: AccountingStorageType)";
	comment_select_job(job, &selected);
	which.step_list = slurm_list_create(NULL);
	slurm_list_append(which.step_list, &selected);
	which.cluster_list = slurm_list_create(NULL);
	slurm_list_append(which.cluster_list, (char *)(uintptr_t)job->cluster);
	why = ask(connection, &which, job, out);
	slurm_list_destroy(which.step_list);
	slurm_list_destroy(which.cluster_list);
	slurmdb_connection_close(&connection);
	return why;
}
