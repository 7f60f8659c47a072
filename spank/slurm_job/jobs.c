/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/slurm_job/jobs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "common/cleanup.h"
#include "common/json_writer.h"
#include "common/memory/array.h"
#include "spank/slurm_job/job_json.h"
#include "spank/slurm_job/slurm_compat.h"

#define NO_SLURMDBD "there is no slurmdbd (slurm.conf: AccountingStorageType)"

struct found {
	time_t submit;
	uint32_t number; /* for a task of an array, the array's id; otherwise the job's id */
	uint32_t task; /* number of an array's task; NO_VAL: waiting tasks together, or no task of an array */
	void *job;
};

struct founds {
	struct found *list;
	size_t count;
};

static int newest_first(const void *one, const void *other)
{
	const struct found *a = one, *b = other;

	if (a->submit != b->submit)
		return a->submit < b->submit ? 1 : -1;
	if (a->number != b->number)
		return a->number < b->number ? 1 : -1;
	return (a->task < b->task) - (a->task > b->task);
}

/*
 * Returns whether the text of @job fits into @room bytes. If so, subtracts its length from @room.
 *
 * Users can make a job's texts long. Many such jobs would make an answer about all users too long to read.
 */
static bool has_room_for(struct json_object *job, size_t *room)
{
	size_t length = 0;

	json_object_to_json_string_length(job, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
	if (length >= *room)
		return false;
	*room -= length + 1;
	return true;
}

static int print_founds(struct founds *founds, struct json_object *(*make)(void *job),
			int (*print)(struct json_object *job))
{
	size_t room = JOBS_BYTES_MOST, i = 0;
	struct json_object *rest;

	if (founds->count)
		qsort(founds->list, founds->count, sizeof(*founds->list), newest_first);
	for (; i < founds->count && i < JOBS_MOST; i++) {
		struct json_object *job = make(founds->list[i].job);

		if (!has_room_for(job, &room)) {
			json_object_put(job);
			break;
		}
		if (print(job))
			return -1;
	}
	if (i == founds->count)
		return 0;
	rest = json_object_new_object();
	put_count(rest, "left_out", founds->count - i);
	return print(rest);
}

static bool has_room(struct founds *founds)
{
	return array_room(&founds->list, founds->count, sizeof(*founds->list));
}

/* ---- slurmdbd ---- */

static struct json_object *row_object(void *job)
{
	return job_json_row(job);
}

/* Keeps slurmctld's answer, because some releases of Slurm have no function to free it. */
static char *own_cluster(void)
{
	static slurm_conf_t *conf;

	if (!conf && slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		conf = NULL;
	return conf ? conf->cluster_name : NULL;
}

/*
 * Returns the end of the window of time for slurmdbd; 0: the window has no end.
 *
 * With an end, slurmdbd leaves out jobs that became eligible only after that end.
 * Without an end, it sends all jobs until now. So a window has no end only if it reaches the present.
 */
static time_t span_end(const struct jobs_question *question)
{
	return question->until_s > time(NULL) ? 0 : question->until_s;
}

static const char *print_rows(compat_list_t rows, const struct jobs_question *question,
			      int (*print)(struct json_object *job))
{
	compat_list_iterator_t at = slurm_list_iterator_create(rows);
	struct founds founds = { 0 };
	slurmdb_job_rec_t *row;

	while ((row = slurm_list_next(at)) && has_room(&founds))
		if (row->submit < question->until_s)
			founds.list[founds.count++] = (struct found){
				row->submit, row->array_job_id ? row->array_job_id : row->jobid, row->array_task_id, row
			};
	print_founds(&founds, row_object, print);
	slurm_list_iterator_destroy(at);
	free(founds.list);
	return NULL;
}

static void add_text(compat_list_t *list, char *text)
{
	*list = slurm_list_create(NULL);
	slurm_list_append(*list, text);
}

const char *jobs_of_accounting(const struct jobs_question *question, int (*print)(struct json_object *job))
{
	slurmdb_job_cond_t which = {
		.flags = JOBCOND_FLAG_NO_STEP | JOBCOND_FLAG_NO_DEFAULT_USAGE | JOBCOND_FLAG_NO_TRUNC,
		.db_flags = SLURMDB_JOB_FLAG_NOTSET,
		.usage_start = question->since_s,
		.usage_end = span_end(question),
	};
	char uid[16], *cluster = own_cluster();
	const char *why = NULL;
	compat_list_t rows = NULL;
	void *connection = slurmdb_connection_get(NULL);

	snprintf(uid, sizeof(uid), "%" PRIu32, question->uid);
	if (question->uid != JOBS_EVERYBODY)
		add_text(&which.userid_list, uid);
	if (cluster)
		add_text(&which.cluster_list, cluster);
	errno = SLURM_SUCCESS;
	if (connection)
		rows = slurmdb_jobs_get(connection, &which);
	if (rows)
		why = print_rows(rows, question, print);
	else
		why = connection && errno ? slurm_strerror(errno) : NO_SLURMDBD;
	if (rows)
		slurm_list_destroy(rows);
	if (which.userid_list)
		slurm_list_destroy(which.userid_list);
	if (which.cluster_list)
		slurm_list_destroy(which.cluster_list);
	if (connection)
		slurmdb_connection_close(&connection);
	return why;
}

/* ---- slurmdbd: what has ended ---- */

/* Loads the names of QOS, because a job's row has only a number. Returns NULL; otherwise why there is no list. */
static const char *load_qos(void *connection, compat_list_t *names)
{
	slurmdb_qos_cond_t which = { 0 };

	errno = SLURM_SUCCESS;
	*names = slurmdb_qos_get(connection, &which);
	return *names ? NULL : errno ? slurm_strerror(errno) : "slurmdbd does not say which QOS there are";
}

static const char *qos_name(compat_list_t names, uint32_t id)
{
	compat_list_iterator_t at = slurm_list_iterator_create(names);
	const slurmdb_qos_rec_t *qos;
	const char *name = NULL;

	while (!name && (qos = slurm_list_next(at)))
		if (qos->id == id)
			name = qos->name;
	slurm_list_iterator_destroy(at);
	return name;
}

static const char *print_ended(compat_list_t rows, compat_list_t qos, const struct jobs_question *question,
			       int (*print)(struct json_object *job))
{
	compat_list_iterator_t at = slurm_list_iterator_create(rows);
	const char *why = NULL;
	slurmdb_job_rec_t *row;

	while (!why && (row = slurm_list_next(at))) {
		struct json_object *object;

		if (row->end < question->since_s || row->end >= question->until_s)
			continue;
		object = job_json_ended(row);
		put_known_text(object, "qos", qos_name(qos, row->qosid));
		if (print(object))
			why = "cannot print the jobs";
	}
	slurm_list_iterator_destroy(at);
	return why;
}

const char *jobs_ended(const char *cluster, const struct jobs_question *question, int (*print)(struct json_object *job))
{
	slurmdb_job_cond_t which = {
		.flags = JOBCOND_FLAG_NO_STEP | JOBCOND_FLAG_NO_DEFAULT_USAGE | JOBCOND_FLAG_NO_TRUNC |
			 JOBCOND_FLAG_DUP,
		.db_flags = SLURMDB_JOB_FLAG_NOTSET,
		.usage_start = question->since_s,
		.usage_end = question->until_s,
	};
	cleanup_free char *name = strdup(cluster ? cluster : own_cluster() ? own_cluster() : "");
	void *connection = slurmdb_connection_get(NULL);
	compat_list_t rows = NULL, qos = NULL;
	const char *why = NO_SLURMDBD;

	if (!name || !*name)
		return "slurmctld does not say which cluster this is";
	add_text(&which.cluster_list, name);
	if (connection)
		why = load_qos(connection, &qos);
	if (!why) {
		errno = SLURM_SUCCESS;
		rows = slurmdb_jobs_get(connection, &which);
		why = rows ? print_ended(rows, qos, question, print) : errno ? slurm_strerror(errno) : NO_SLURMDBD;
	}
	if (rows)
		slurm_list_destroy(rows);
	if (qos)
		slurm_list_destroy(qos);
	slurm_list_destroy(which.cluster_list);
	if (connection)
		slurmdb_connection_close(&connection);
	return why;
}

/* ---- slurmctld ---- */

static struct json_object *job_object(void *job)
{
	return job_json(job);
}

static bool has_ended(const job_info_t *job)
{
	return (job->job_state & JOB_STATE_BASE) > JOB_SUSPENDED;
}

static bool is_wanted(const job_info_t *job, const struct jobs_question *question)
{
	return (question->uid == JOBS_EVERYBODY || job->user_id == question->uid) &&
	       job->submit_time < question->until_s && (!has_ended(job) || job->end_time >= question->since_s);
}

const char *jobs_of_controller(const struct jobs_question *question, int (*print)(struct json_object *job))
{
	struct founds founds = { 0 };
	job_info_msg_t *answer = NULL;
	int result = question->uid == JOBS_EVERYBODY ? slurm_load_jobs(0, &answer, SHOW_ALL | SHOW_DETAIL)
						     : slurm_load_job_user(&answer, question->uid, SHOW_ALL | SHOW_DETAIL);

	if (result != SLURM_SUCCESS)
		return slurm_strerror(errno);
	for (uint32_t i = 0; i < answer->record_count && has_room(&founds); i++) {
		job_info_t *job = &answer->job_array[i];

		if (is_wanted(job, question))
			founds.list[founds.count++] = (struct found){
				job->submit_time, job->array_job_id ? job->array_job_id : job->job_id, job->array_task_id, job
			};
	}
	print_founds(&founds, job_object, print);
	slurm_free_job_info_msg(answer);
	free(founds.list);
	return NULL;
}
