/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint report: the page, or the JSON, of one job or of all in a directory. */

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/common/cleanup.h"
#include "collector/common/conf.h"
#include "collector/common/pattern.h"
#include "reports/cmd.h"
#include "collector/common/escape.h"
#include "reports/field.h"
#include "reports/locate.h"
#include "reports/page.h"
#include "reports/report.h"
#include "reports/slurm_job.h"
#include "collector/common/usage.h"

struct arguments {
	const char *what; /* job, file or directory */
	const char *config;
	bool json;
};

struct shown_report {
	struct json_object *report;
	char *text;
	size_t order; /* as found */
};

struct shown {
	struct shown_report *reports;
	size_t count;
	bool failed; /* one could not be read, and that was said */
};

static void complain(const char *text)
{
	char shown[1024];

	fprintf(stderr, "stint report: %s\n", escape_text(text, shown, sizeof(shown)));
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
static void load(struct shown *shown, char **paths, const struct locate_job *job, bool quiet)
{
	for (size_t i = 0; paths[i]; i++) {
		struct shown_report one = { .order = i };
		struct shown_report *reports;
		struct error err;

		one.report = report_load(paths[i], &one.text, &err);
		if (!one.report) {
			if (!quiet)
				complain(err.text);
			shown->failed = shown->failed || !quiet;
			continue;
		}
		reports = reallocarray(shown->reports, shown->count + 1, sizeof(*reports));
		if ((job && !is_of_job(one.report, job)) || !reports) {
			json_object_put(one.report);
			free(one.text);
		} else {
			reports[shown->count++] = one;
		}
		if (reports)
			shown->reports = reports;
	}
}

static void free_shown(struct shown *shown)
{
	for (size_t i = 0; i < shown->count; i++) {
		json_object_put(shown->reports[i].report);
		free(shown->reports[i].text);
	}
	free(shown->reports);
}

/* Oldest first. The times have one form, and mostly one zone: their texts are in order. */
static int compare_shown(const void *a, const void *b)
{
	const struct shown_report *one = a, *other = b;
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

static int find_in(struct shown *shown, const char *directory, const char *pattern, const struct locate_job *job,
		   struct error *err)
{
	char **paths = locate_reports(directory, pattern, job, err);

	if (!paths)
		return -1;
	load(shown, paths, job, false);
	locate_free(paths);
	return 0;
}

/* Reports by the site's pattern, and by the default one where that is another. */
static int find(struct shown *shown, const char *directory, const struct conf *conf, const struct locate_job *job,
		struct error *err)
{
	if (find_in(shown, directory, conf->output, job, err) < 0)
		return -1;
	if (shown->count > 0 || strcmp(conf->output, PATTERN_DEFAULT) == 0)
		return 0;
	return find_in(shown, directory, PATTERN_DEFAULT, job, err);
}

/* Where Slurm says that the job ran. */
static int find_by_slurm(struct shown *shown, const char *name, const struct locate_job *asked,
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
	if (find(shown, work_dir, conf, &job, err) < 0)
		return -1;
	if (shown->count > 0 || shown->failed)
		return 0;
	return error_set(err,
			 "job %s: no report of it in this directory, nor in %.200s; a report is written when the job "
			 "has ended, and to where its --stint=output= or stint.conf says", name, work_dir);
}

/* By what is in the reports: an array's task has a job id that its report is not named for. */
static int find_by_content(struct shown *shown, const struct locate_job *job, const struct conf *conf,
			   struct error *err)
{
	char **paths = locate_reports(".", conf->output, NULL, err);

	if (!paths)
		return -1;
	load(shown, paths, job, true);
	locate_free(paths);
	return 0;
}

static int find_job(struct shown *shown, const char *name, const struct locate_job *job, const struct conf *conf,
		    struct error *err)
{
	if (find(shown, ".", conf, job, err) < 0)
		return -1;
	if (shown->count > 0 || shown->failed)
		return 0;
	if (find_by_content(shown, job, conf, err) < 0)
		return -1;
	return shown->count > 0 ? 0 : find_by_slurm(shown, name, job, conf, err);
}

static int find_directory(struct shown *shown, const char *directory, const struct conf *conf, struct error *err)
{
	if (find(shown, directory, conf, NULL, err) < 0)
		return -1;
	if (shown->count > 0 || shown->failed)
		return 0;
	return error_set(err, "%s: no reports in this directory (by the name of %s)", directory, conf->output);
}

static int find_what(struct shown *shown, const struct arguments *arguments, struct error *err)
{
	char *paths[2] = { (char *)(uintptr_t)arguments->what, NULL };
	struct locate_job job;
	struct conf conf;
	struct stat st;

	if (conf_load_default(&conf, arguments->config, err) < 0)
		return -1;
	if (stat(arguments->what, &st) < 0) {
		if (locate_parse_job(arguments->what, &job))
			return find_job(shown, arguments->what, &job, &conf, err);
		return error_errno(err, "%s", arguments->what);
	}
	if (S_ISDIR(st.st_mode) && !locate_parse_job(arguments->what, &job))
		return find_directory(shown, arguments->what, &conf, err);
	if (S_ISDIR(st.st_mode))
		return find_job(shown, arguments->what, &job, &conf, err);
	load(shown, paths, NULL, false);
	return 0;
}

/* ---- showing ---- */

/* As it is, but for what would steer a terminal: a report may have been made by anybody. */
static void print_json(const char *text)
{
	cleanup_free char *safe = escape_json(text, NULL);

	if (safe)
		fputs(safe, stdout);
}

static void print(const struct shown *shown, bool json)
{
	for (size_t i = 0; i < shown->count; i++) {
		if (json) {
			print_json(shown->reports[i].text);
			continue;
		}
		if (i > 0)
			putchar('\n');
		page_print(shown->reports[i].report, stdout);
	}
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case 'c':
		arguments->config = value;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 0)
			usage_fail(state, "one JOB, FILE or DIR only");
		arguments->what = value;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_report(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "json", 'j', NULL, 0, "Print the report as it is, JSON", 0 },
		{ "config", 'c', "FILE", 0, "Read FILE instead of " CONF_PATH, 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.args_doc = "[JOB | FILE | DIR]",
		.doc = "Show what a job really did with what it was given.\n"
		       "\v"
		       "JOB is a number, or ARRAY_TASK; a plain array id shows all its tasks. Its report is looked "
		       "for in this directory, then in the job's own. DIR, by default this one, shows all reports "
		       "in it, oldest first.",
	};
	struct arguments arguments = { .what = "." };
	struct shown shown = { 0 };
	struct error err;
	int result;

	usage_parse(&argp, argc, argv, 0, &arguments);
	result = find_what(&shown, &arguments, &err);
	if (result < 0)
		complain(err.text);
	if (shown.count > 1)
		qsort(shown.reports, shown.count, sizeof(shown.reports[0]), compare_shown);
	print(&shown, arguments.json);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "stint report: standard output: %s\n", strerror(errno));
		result = -1;
	}
	result = result < 0 || shown.failed ? EXIT_FAILURE : EXIT_SUCCESS;
	free_shown(&shown);
	return result;
}
