/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/slurm_summary.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/files/attempt.h"
#include "reports/json/field.h"
#include "reports/json/job_state.h"
#include "reports/read/moved.h"
#include "reports/read/slurm_reports.h"

#define ATTEMPTS_MAX 100

/* ---- a row of what Slurm says ---- */

static void copy_field(struct json_object *to, const char *name, struct json_object *from, const char *field)
{
	struct json_object *value;

	if (json_object_object_get_ex(from, field, &value) && value)
		put_copy(to, name, value);
}

static void copy_time(struct json_object *to, const char *name, struct json_object *from, const char *field)
{
	int64_t unix_s;

	if (field_count(from, field, &unix_s) && unix_s < INT64_MAX / NS_PER_S)
		put_time(to, name, unix_s * NS_PER_S);
}

static void put_elapsed(struct json_object *to, struct json_object *job)
{
	int64_t elapsed_s, start_s, end_s, suspended_s = 0;

	if (!field_count(job, "elapsed_s", &elapsed_s)) {
		if (!field_count(job, "start_unix_s", &start_s) || !field_count(job, "end_unix_s", &end_s))
			return;
		field_count(job, "suspended_s", &suspended_s);
		elapsed_s = end_s - start_s - suspended_s;
	}
	if (elapsed_s >= 0)
		put_count(to, "elapsed_s", elapsed_s);
}

/* The report that nobody wrote, with what Slurm alone says. */
static struct json_object *as_report(struct json_object *slurm)
{
	static const char *const texts[] = { "cluster", "user", "account", "partition", "qos", "name", "state" };
	static const char *const numbers[] = { "array_job_id", "array_task_id", "het_job_id", "het_job_offset" };
	struct json_object *report = json_object_new_object(), *job = put_object(report, "job");
	int64_t restarts;

	copy_field(job, "id", slurm, "job_id");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		copy_field(job, texts[i], slurm, texts[i]);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		copy_field(job, numbers[i], slurm, numbers[i]);
	if (field_count(slurm, "restarts", &restarts))
		put_count(job, "attempt", restarts + 1);
	copy_time(job, "submit", slurm, "submit_unix_s");
	copy_time(job, "start", slurm, "start_unix_s");
	copy_time(job, "end", slurm, "end_unix_s");
	put_elapsed(job, slurm);
	put_flag(report, "so_far", state_goes_on(field_text(slurm, "state")));
	copy_field(put_object(report, "requested"), "time_limit_s", slurm, "time_limit_s");
	copy_field(put_object(report, "allocated"), "cpus", slurm, "cpus");
	copy_field(field_typed(report, "allocated", json_type_object), "nodes", slurm, "nodes");
	return report;
}

int job_row_from_slurm(struct json_object *job, struct job_row *row, struct error *err)
{
	cleanup_json struct json_object *report = as_report(job);

	return job_row_from_report(report, row, err);
}

/* ---- the reports ---- */

struct jobs {
	struct json_object **list; /* those that have started, borrowed */
	bool *found;               /* its report was read */
	char **paths;              /* of the reports, ended by NULL */
	size_t *which;             /* the job of each path */
	size_t count, path_count;
};

static bool is_of(void *context, size_t place, const struct job_row *row)
{
	struct jobs *jobs = context;

	if (!slurm_report_is_of(jobs->list[jobs->which[place]], row->id, row->uid, row->end_us))
		return false;
	jobs->found[jobs->which[place]] = true;
	return true;
}

static bool allocate(struct jobs *jobs, size_t most)
{
	jobs->list = calloc(most + 1, sizeof(*jobs->list));
	jobs->found = calloc(most + 1, sizeof(*jobs->found));
	jobs->paths = calloc(most + 1, sizeof(*jobs->paths));
	jobs->which = calloc(most + 1, sizeof(*jobs->which));
	return jobs->list && jobs->found && jobs->paths && jobs->which;
}

static void release(struct jobs *jobs)
{
	for (size_t i = 0; jobs->paths && i < jobs->path_count; i++)
		free(jobs->paths[i]);
	free(jobs->paths);
	free(jobs->list);
	free(jobs->found);
	free(jobs->which);
}

static void find_all(struct jobs *jobs, struct json_object *list, const struct conf *conf, struct reach *reach)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *job = json_object_array_get_idx(list, i);
		char *path;

		if (!field_text(job, "node_list"))
			continue;
		jobs->list[jobs->count] = job;
		path = slurm_report_path(job, conf, reach);
		if (path) {
			jobs->paths[jobs->path_count] = path;
			jobs->which[jobs->path_count++] = jobs->count;
		}
		jobs->count++;
	}
}

/* ---- earlier attempts ---- */

/* Returns where the report of @attempt lies, beside the job's last report @last; NULL where there is none. */
static char *attempt_path(const char *last, int64_t id, int64_t attempt, struct reach *reach)
{
	char name[NAME_MAX + 1], *path;
	const char *slash = strrchr(last, '/');
	int directory = slash ? (int)(slash - last + 1) : 0;

	attempt_name(last + directory, id, attempt, name);
	if (asprintf(&path, "%.*s%s", directory, last, name) < 0)
		return NULL;
	if (reach_look(reach, path) == 1)
		return path;
	free(path);
	return NULL;
}

static int add_attempt(struct jobs_summary *summary, const char *path, struct json_object *job, int64_t attempt,
		       struct error *err)
{
	struct error why;
	struct job_row row;
	int result = 0;

	/* it ended before the job was submitted again: so its end says nothing */
	if (job_row_read(path, &row, &why) == 0 && slurm_report_is_of(job, row.id, row.uid, -1) && row.attempt == attempt)
		result = jobs_summary_add(summary, &row, err);
	job_row_free(&row);
	return result;
}

static int add_attempts(struct jobs_summary *summary, const char *last, struct json_object *job, struct reach *reach,
			struct error *err)
{
	int64_t id;
	int result = 0;

	if (!field_count(job, "job_id", &id))
		return 0;
	for (int64_t attempt = 1; result == 0 && attempt <= ATTEMPTS_MAX; attempt++) {
		cleanup_free char *path = attempt_path(last, id, attempt, reach);

		if (!path)
			break;
		result = add_attempt(summary, path, job, attempt, err);
	}
	return result;
}

/* ---- all of them ---- */

static int add_without(struct jobs_summary *summary, struct json_object *job, struct error *err)
{
	int64_t before = summary->total.jobs;
	struct job_row row;
	int result = job_row_from_slurm(job, &row, err);

	if (result == 0)
		result = jobs_summary_add(summary, &row, err);
	summary->without_report += summary->total.jobs - before;
	job_row_free(&row);
	return result;
}

static int add_all(struct jobs_summary *summary, struct jobs *jobs, bool progress, struct reach *reach, struct error *err)
{
	int result = jobs_summary_read_some(summary, jobs->paths, is_of, jobs, progress, err);

	for (size_t i = 0; result == 0 && i < jobs->path_count; i++) {
		if (!jobs->found[jobs->which[i]])
			continue;
		moved_follow(&jobs->paths[i]);
		result = add_attempts(summary, jobs->paths[i], jobs->list[jobs->which[i]], reach, err);
	}
	for (size_t i = 0; result == 0 && i < jobs->count; i++)
		if (!jobs->found[i] || state_goes_on(field_text(jobs->list[i], "state")))
			result = add_without(summary, jobs->list[i], err);
	return result;
}

int slurm_summary_add(struct jobs_summary *summary, struct json_object *list, const struct conf *conf, bool progress,
		      struct reach *reach, struct error *err)
{
	struct jobs jobs = { 0 };
	int result;

	summary->of_slurm = true;
	if (allocate(&jobs, json_object_array_length(list))) {
		reach_guard(reach);
		find_all(&jobs, list, conf, reach);
		result = add_all(summary, &jobs, progress, reach, err);
	} else {
		result = error_set(err, "out of memory");
	}
	release(&jobs);
	return result;
}
