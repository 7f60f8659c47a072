/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/slurm_job/comment.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "common/js1_form.h"
#include "spank/slurm_job/slurm_compat.h"

/* Changes only AdminComment. slurmdbd changes each field that is not NO_VAL or NULL. */
static void change_nothing_but(slurmdb_job_rec_t *record, const char *text)
{
	memset(record, 0, sizeof(*record));
	record->array_task_id = record->derived_ec = record->het_job_offset = NO_VAL;
	record->state = NO_VAL;
	record->admin_comment = (char *)(uintptr_t)text;
}

static int modify(void *connection, slurmdb_job_cond_t *which, slurmdb_job_rec_t *record)
{
	compat_list_t changed = slurmdb_job_modify(connection, which, record);
	int count = 0, error = errno;

	if (changed) {
		count = slurm_list_count(changed);
		slurm_list_destroy(changed);
	}
	errno = error;
	return count;
}

static const char *modify_and_commit(void *connection, slurmdb_job_cond_t *which, slurmdb_job_rec_t *record)
{
	errno = SLURM_SUCCESS;
	if (modify(connection, which, record) == 0)
		return errno && errno != SLURM_NO_CHANGE_IN_DATA ? slurm_strerror(errno)
								 : "slurmdbd does not know the job";
	return slurmdb_connection_commit(connection, true) == SLURM_SUCCESS ? NULL : slurm_strerror(errno);
}

static const char *look_at_row(const struct comment_job *job, const slurmdb_job_rec_t *row, const char *text)
{
	if (row->jobid != job->id || row->uid != job->uid)
		return "slurmdbd has another job, or a job of another user, with this number";
	if (row->submit != job->submit)
		return "slurmdbd has another attempt of the job";
	return js1_may_replace(row->admin_comment, text) ? NULL : "the job already has another comment";
}

/*
 * Checks that @which selects one row, that the row is of @job, and that the row's comment may become that of @record.
 * Returns NULL if all this is so; otherwise the reason.
 */
static const char *check_selected_row(void *connection, const struct comment_job *job,
				      slurmdb_job_cond_t *which, const slurmdb_job_rec_t *record)
{
	const char *why = "slurmdbd does not know the job";
	slurmdb_job_rec_t *row;
	compat_list_t rows;

	errno = SLURM_SUCCESS;
	rows = slurmdb_jobs_get(connection, which);
	if (!rows)
		return errno ? slurm_strerror(errno) : why;
	if (slurm_list_count(rows) == 1) {
		compat_list_iterator_t at = slurm_list_iterator_create(rows);

		row = slurm_list_next(at);
		why = look_at_row(job, row, record->admin_comment);
		slurm_list_iterator_destroy(at);
	} else if (slurm_list_count(rows) > 1) {
		why = "slurmdbd has several jobs with this number";
	}
	slurm_list_destroy(rows);
	return why;
}

void comment_select_job(const struct comment_job *job, slurm_selected_step_t *selected)
{
	memset(selected, 0, sizeof(*selected));
	selected->array_task_id = selected->het_job_offset = NO_VAL;
	selected->step_id.step_id = selected->step_id.step_het_comp = NO_VAL;
	selected->step_id.job_id = job->id;
	if (!job->array_job_id)
		return;
	selected->step_id.job_id = job->array_job_id;
	selected->array_task_id = job->array_task_id;
}

const char *comment_set(const struct comment_job *job, const char *text)
{
	slurmdb_job_cond_t which = {
		.flags = JOBCOND_FLAG_NO_STEP | JOBCOND_FLAG_NO_WHOLE_HETJOB | JOBCOND_FLAG_NO_DEFAULT_USAGE |
			 JOBCOND_FLAG_NO_TRUNC,
		.db_flags = SLURMDB_JOB_FLAG_NOTSET,
	};
	slurm_selected_step_t selected;
	slurmdb_job_rec_t record;
	void *connection;
	const char *why;
	char uid[16];

	change_nothing_but(&record, text);
	connection = slurmdb_connection_get(NULL);
	if (!connection)
		return "there is no slurmdbd (slurm.conf: AccountingStorageType)";
	comment_select_job(job, &selected);
	snprintf(uid, sizeof(uid), "%" PRIu32, job->uid);
	which.step_list = slurm_list_create(NULL);
	slurm_list_append(which.step_list, &selected);
	which.cluster_list = slurm_list_create(NULL);
	slurm_list_append(which.cluster_list, (char *)(uintptr_t)job->cluster);
	which.userid_list = slurm_list_create(NULL);
	slurm_list_append(which.userid_list, uid);
	why = check_selected_row(connection, job, &which, &record);
	if (!why)
		why = modify_and_commit(connection, &which, &record);
	slurm_list_destroy(which.step_list);
	slurm_list_destroy(which.cluster_list);
	slurm_list_destroy(which.userid_list);
	slurmdb_connection_close(&connection);
	return why;
}
