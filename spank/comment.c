/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/comment.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurmdb.h>

static bool parse_number(const char **at, uint32_t *number)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(*at, &end, 10);
	if (**at < '0' || **at > '9' || errno || value >= NO_VAL)
		return false;
	*number = value;
	*at = end;
	return true;
}

static bool parse_job(const char *text, slurm_selected_step_t *job)
{
	memset(job, 0, sizeof(*job));
	job->array_task_id = job->het_job_offset = NO_VAL;
	job->step_id.step_id = job->step_id.step_het_comp = NO_VAL;
	if (!parse_number(&text, &job->step_id.job_id) || job->step_id.job_id == 0)
		return false;
	if (*text == '_') {
		text++;
		if (!parse_number(&text, &job->array_task_id))
			return false;
	}
	return !*text;
}

/* What is not NO_VAL or NULL of a job is set. */
static void change_nothing_but(slurmdb_job_rec_t *record, const char *text)
{
	memset(record, 0, sizeof(*record));
	record->array_task_id = record->derived_ec = record->het_job_offset = NO_VAL;
	record->state = NO_VAL;
	record->admin_comment = (char *)(uintptr_t)text;
}

/* How many jobs were changed; 0 with errno set. */
static int modify(void *connection, slurmdb_job_cond_t *which, slurmdb_job_rec_t *record)
{
	/* A List, or since 24.05 a list_t *. */
	__auto_type changed = slurmdb_job_modify(connection, which, record);
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
								 : "slurmdbd knows of no such job";
	return slurmdb_connection_commit(connection, true) == SLURM_SUCCESS ? NULL : slurm_strerror(errno);
}

const char *comment_set(const char *cluster, const char *job, const char *text)
{
	slurmdb_job_cond_t which = {
		.flags = JOBCOND_FLAG_NO_STEP | JOBCOND_FLAG_NO_WHOLE_HETJOB,
		.db_flags = SLURMDB_JOB_FLAG_NOTSET,
	};
	slurm_selected_step_t step;
	slurmdb_job_rec_t record;
	void *connection;
	const char *why;

	if (!parse_job(job, &step))
		return "not a job id";
	change_nothing_but(&record, text);
	connection = slurmdb_connection_get(NULL);
	if (!connection)
		return "there is no slurmdbd (slurm.conf: AccountingStorageType)";
	which.step_list = slurm_list_create(NULL);
	slurm_list_append(which.step_list, &step);
	which.cluster_list = slurm_list_create(NULL);
	slurm_list_append(which.cluster_list, (char *)(uintptr_t)cluster);
	why = modify_and_commit(connection, &which, &record);
	slurm_list_destroy(which.step_list);
	slurm_list_destroy(which.cluster_list);
	slurmdb_connection_close(&connection);
	return why;
}
