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
#include "reports/json/job_state.h"
#include "reports/model/report_make.h"
#include "reports/read/moved.h"
#include "reports/read/slurm_reports.h"

#define ATTEMPTS_MAX 100

/* ---- a row from what Slurm says ---- */

/* Slurm has a negative count for an id or limit that does not exist. */
static int64_t count_of(int64_t count)
{
	return count < 0 ? REPORT_UNKNOWN : count;
}

static const char *time_of(struct report *report, int64_t unix_s)
{
	char text[TIME_TEXT];

	return unix_s >= 0 && unix_s < INT64_MAX / NS_PER_S ? report_copy(report, time_text(unix_s * NS_PER_S, text)) : NULL;
}

static struct report_seconds elapsed_of(const struct record_slurm_job *slurm)
{
	int64_t elapsed_s, suspended_s = 0;
	struct report_seconds elapsed = { REPORT_UNKNOWN };

	if (!take_count(slurm->elapsed_s, &elapsed_s)) {
		if (slurm->start_unix_s < 0 || slurm->end_unix_s < 0)
			return elapsed;
		take_count(slurm->suspended_s, &suspended_s);
		elapsed_s = slurm->end_unix_s - slurm->start_unix_s - suspended_s;
	}
	if (elapsed_s >= 0 && __builtin_mul_overflow(elapsed_s, NS_PER_S, &elapsed.ns))
		elapsed.ns = INT64_MAX;
	return elapsed;
}

static void fill_job(struct report *report, const struct record_slurm_job *slurm)
{
	struct report_job *job = &report->job;

	job->id = slurm->job_id;
	job->cluster = slurm->cluster;
	job->user = slurm->user;
	job->account = slurm->account;
	job->partition = slurm->partition;
	job->qos = slurm->qos;
	job->name = slurm->name;
	job->state = slurm->state;
	job->array_job_id = count_of(slurm->array_job_id);
	job->array_task_id = count_of(slurm->array_task_id);
	job->het_job_id = count_of(slurm->het_job_id);
	job->het_job_offset = count_of(slurm->het_job_offset);
	if (slurm->restarts >= 0)
		job->attempt = slurm->restarts + 1;
	job->submit = time_of(report, slurm->submit_unix_s);
	job->start = time_of(report, slurm->start_unix_s);
	job->end = time_of(report, slurm->end_unix_s);
	job->elapsed_s = elapsed_of(slurm);
}

/* Makes a report of what Slurm says. Texts are borrowed from @slurm. NULL if out of memory. */
static struct report *as_report(const struct record_slurm_job *slurm)
{
	struct report *report = report_new(NULL);

	if (!report)
		return NULL;
	fill_job(report, slurm);
	report->so_far = state_goes_on(report->job.state);
	report->requested.time_limit_s = count_of(slurm->time_limit_s);
	report->allocated.cpus = slurm->cpus;
	report->allocated.nodes = slurm->nodes;
	return report;
}

int job_row_from_slurm(const struct record_slurm_job *job, struct job_row *row, struct error *err)
{
	cleanup_report struct report *report = as_report(job);

	if (report && !report_lacks_memory(report))
		return job_row_from_report(report, row, err);
	*row = (struct job_row){ 0 };
	return error_set(err, "out of memory");
}

/* ---- the reports ---- */

struct jobs {
	const struct record_slurm_job **list; /* jobs that have started, borrowed */
	bool *found;                          /* for each job: its report was read */
	char **paths;                         /* paths of the reports, ended by NULL */
	size_t *which;                        /* for each path: index of its job */
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

static void find_all(struct jobs *jobs, const struct record_slurm_job_list *list, const struct conf *conf,
		     struct reach *reach)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct record_slurm_job *job = &list->items[i];
		char *path;

		if (!job->node_list)
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

/*
 * Returns the path of an earlier attempt's report in the directory of the last report; NULL if there is no such report.
 * The caller must free the path.
 */
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

static int add_attempt(struct jobs_summary *summary, const char *path, const struct record_slurm_job *job, int64_t attempt,
		       struct error *err)
{
	struct error why;
	struct job_row row;
	int result = 0;

	/* the end that Slurm gives is the end of the last attempt, so do not compare it */
	if (job_row_read(path, &row, &why) == 0 && slurm_report_is_of(job, row.id, row.uid, -1) && row.attempt == attempt)
		result = jobs_summary_add(summary, &row, err);
	job_row_free(&row);
	return result;
}

static int add_attempts(struct jobs_summary *summary, const char *last, const struct record_slurm_job *job,
			struct reach *reach, struct error *err)
{
	int result = 0;

	if (job->job_id < 0)
		return 0;
	for (int64_t attempt = 1; result == 0 && attempt <= ATTEMPTS_MAX; attempt++) {
		cleanup_free char *path = attempt_path(last, job->job_id, attempt, reach);

		if (!path)
			break;
		result = add_attempt(summary, path, job, attempt, err);
	}
	return result;
}

/* ---- all of them ---- */

static int add_without(struct jobs_summary *summary, const struct record_slurm_job *job, struct error *err)
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
		if (!jobs->found[i] || state_goes_on(jobs->list[i]->state))
			result = add_without(summary, jobs->list[i], err);
	return result;
}

int slurm_summary_add(struct jobs_summary *summary, const struct record_slurm_job_list *list, const struct conf *conf,
		      bool progress, struct reach *reach, struct error *err)
{
	struct jobs jobs = { 0 };
	int result;

	summary->of_slurm = true;
	if (allocate(&jobs, list->count)) {
		reach_guard(reach);
		find_all(&jobs, list, conf, reach);
		result = add_all(summary, &jobs, progress, reach, err);
	} else {
		result = error_set(err, "out of memory");
	}
	release(&jobs);
	return result;
}
