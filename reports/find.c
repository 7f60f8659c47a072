/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/common/cleanup.h"
#include "collector/common/conf.h"
#include "collector/common/escape.h"
#include "collector/common/pattern.h"
#include "reports/field.h"
#include "reports/locate.h"
#include "reports/report.h"
#include "reports/slurm_job.h"

static void complain(const char *who, const char *text)
{
	char shown[1024];

	fprintf(stderr, "%s: %s\n", who, escape_text(text, shown, sizeof(shown)));
}

/* ---- loading ---- */

static bool is_of_job(struct json_object *report, const struct locate_job *job)
{
	int64_t id = 0, array = 0, task = -1;

	field_count(report, "job.id", &id);
	field_count(report, "job.array_job_id", &array);
	field_count(report, "job.array_task_id", &task);
	if (job->task >= 0)
		return array == job->id && task == job->task;
	return id == job->id || array == job->id;
}

/* Takes in the reports of @paths, only those of @job when it is not NULL; damaged ones are told of, unless @quiet. */
static void load(struct found *found, char **paths, const struct locate_job *job, bool quiet)
{
	for (size_t i = 0; paths[i]; i++) {
		struct found_report one = { .order = i };
		struct found_report *reports;
		struct error err;

		one.report = report_load(paths[i], &one.text, &err);
		if (!one.report) {
			if (!quiet)
				complain(found->who, err.text);
			found->failed = found->failed || !quiet;
			continue;
		}
		reports = reallocarray(found->reports, found->count + 1, sizeof(*reports));
		if ((job && !is_of_job(one.report, job)) || !reports) {
			json_object_put(one.report);
			free(one.text);
		} else {
			reports[found->count++] = one;
		}
		if (reports)
			found->reports = reports;
	}
}

/* Oldest first. The times have one form, and mostly one zone: their texts are in order. */
static int compare_found(const void *a, const void *b)
{
	const struct found_report *one = a, *other = b;
	const char *start = field_text(one->report, "job.start"), *end = field_text(other->report, "job.start");
	int order = strcmp(start ? start : "", end ? end : "");
	int64_t id = 0, other_id = 0;

	if (order)
		return order;
	field_count(one->report, "job.id", &id);
	field_count(other->report, "job.id", &other_id);
	return id != other_id ? (id < other_id ? -1 : 1) : (one->order < other->order ? -1 : 1);
}

/* ---- finding ---- */

static int find_in(struct found *found, const char *directory, const char *pattern, const struct locate_job *job,
		   struct error *err)
{
	char **paths = locate_reports(directory, pattern, job, err);

	if (!paths)
		return -1;
	load(found, paths, job, false);
	locate_free(paths);
	return 0;
}

/* Reports by the site's pattern, and by the default one where that is another. */
static int find(struct found *found, const char *directory, const struct conf *conf, const struct locate_job *job,
		struct error *err)
{
	if (find_in(found, directory, conf->output, job, err) < 0)
		return -1;
	if (found->count > 0 || strcmp(conf->output, PATTERN_DEFAULT) == 0)
		return 0;
	return find_in(found, directory, PATTERN_DEFAULT, job, err);
}

/* Where Slurm says that the job ran. */
static int find_by_slurm(struct found *found, const char *name, const struct locate_job *asked,
			 const struct conf *conf, struct error *err)
{
	struct error why;
	cleanup_json struct json_object *slurm = slurm_job(name, &why);
	const char *work_dir = field_text(slurm, "work_dir");
	struct locate_job job = *asked;
	int64_t array, task;

	if (!slurm)
		return error_set(err,
				 "job %s: no report of it in this directory, and Slurm says: %.200s; "
				 "go to the job's directory, or name the report's file", name, why.text);
	if (!work_dir)
		return error_set(err, "job %s: no report of it in this directory, and Slurm does not say where it ran",
				 name);
	/* An array's task has a job id of its own, too; its report is named for the array. */
	if (job.task < 0 && field_count(slurm, "array_job_id", &array) && array != job.id &&
	    field_count(slurm, "array_task_id", &task)) {
		job.id = array;
		job.task = task;
	}
	if (find(found, work_dir, conf, &job, err) < 0)
		return -1;
	if (found->count > 0 || found->failed)
		return 0;
	return error_set(err,
			 "job %s: no report of it in this directory, nor in %.200s; a report is written when the job "
			 "has ended, and to where its --stint=output= or stint.conf says", name, work_dir);
}

/* By what is in the reports: an array's task has a job id that its report is not named for. */
static int find_by_content(struct found *found, const struct locate_job *job, const struct conf *conf,
			   struct error *err)
{
	char **paths = locate_reports(".", conf->output, NULL, err);

	if (!paths)
		return -1;
	load(found, paths, job, true);
	locate_free(paths);
	return 0;
}

static int find_job(struct found *found, const char *name, const struct locate_job *job, const struct conf *conf,
		    struct error *err)
{
	if (find(found, ".", conf, job, err) < 0)
		return -1;
	if (found->count > 0 || found->failed)
		return 0;
	if (find_by_content(found, job, conf, err) < 0)
		return -1;
	return found->count > 0 ? 0 : find_by_slurm(found, name, job, conf, err);
}

static int find_directory(struct found *found, const char *directory, const struct conf *conf, struct error *err)
{
	if (find(found, directory, conf, NULL, err) < 0)
		return -1;
	if (found->count > 0 || found->failed)
		return 0;
	return error_set(err, "%s: no reports in this directory (by the name of %s)", directory, conf->output);
}

static int find_what(struct found *found, const char *what, const struct conf *conf, struct error *err)
{
	char *paths[2] = { (char *)(uintptr_t)what, NULL };
	struct locate_job job;
	struct stat st;

	if (stat(what, &st) < 0) {
		if (locate_parse_job(what, &job))
			return find_job(found, what, &job, conf, err);
		return error_errno(err, "%s", what);
	}
	if (S_ISDIR(st.st_mode) && !locate_parse_job(what, &job))
		return find_directory(found, what, conf, err);
	if (S_ISDIR(st.st_mode))
		return find_job(found, what, &job, conf, err);
	load(found, paths, NULL, false);
	return 0;
}

int find_reports(struct found *found, const char *what, const char *config, struct error *err)
{
	struct conf conf;

	if (conf_load_default(&conf, config, err) < 0 || find_what(found, what, &conf, err) < 0)
		return -1;
	if (found->count > 1)
		qsort(found->reports, found->count, sizeof(found->reports[0]), compare_found);
	return 0;
}

void find_free(struct found *found)
{
	for (size_t i = 0; i < found->count; i++) {
		json_object_put(found->reports[i].report);
		free(found->reports[i].text);
	}
	free(found->reports);
}
