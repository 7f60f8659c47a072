/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/find.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/common/cleanup.h"
#include "collector/common/conf.h"
#include "collector/common/escape.h"
#include "collector/common/pattern.h"
#include "reports/collect.h"
#include "reports/field.h"
#include "reports/report.h"
#include "reports/show.h"

void find_complain(const char *who, const char *text)
{
	char shown[1024];

	fprintf(stderr, "%s: %s\n", who, escape_text(text, shown, sizeof(shown)));
}

/* ---- taking rows ---- */

static bool is_of_job(const struct row *row, const struct locate_job *job)
{
	if (job->task >= 0)
		return row->array == job->id && row->task == job->task;
	if (job->offset >= 0)
		return row->het == job->id && row->het_offset == job->offset;
	return row->id == job->id || row->array == job->id || row->het == job->id;
}

bool rows_add(struct rows *rows, const struct row *row)
{
	struct row *list = rows->count % 64 ? rows->list : reallocarray(rows->list, rows->count + 64, sizeof(*list));

	if (!list)
		return false;
	rows->list = list;
	list[rows->count++] = *row;
	return true;
}

/* Takes in the reports of @paths, only those of @job when it is not NULL; damaged ones are told of, unless @quiet. */
static int take(struct rows *rows, char **paths, const struct locate_job *job, bool quiet, struct error *err)
{
	cleanup_free struct row *read = NULL;
	size_t count = 0;
	int result = 0;

	while (paths[count])
		count++;
	read = calloc(count ? count : 1, sizeof(*read));
	if (!read)
		return error_set(err, "out of memory");
	rows_read(read, paths, count);
	for (size_t i = 0; i < count; i++) {
		if (read[i].error && !quiet)
			find_complain(rows->who, read[i].error);
		rows->failed = rows->failed || (read[i].error && !quiet);
		if (!read[i].error && (!job || is_of_job(&read[i], job)) && rows_add(rows, &read[i]))
			continue;
		row_free(&read[i]);
	}
	return result;
}

static int text_order(const char *one, const char *other)
{
	return strcmp(one ? one : "", other ? other : "");
}

static int number_order(int64_t one, int64_t other)
{
	return one < other ? -1 : one > other;
}

/* Oldest first. The times have one form, and mostly one zone: their texts are in order. */
static int compare_age(const void *a, const void *b)
{
	const struct row *one = a, *other = b;
	int order = text_order(one->start, other->start);

	if (!order)
		order = number_order(one->id, other->id);
	if (!order)
		order = number_order(one->attempt, other->attempt);
	return order ? order : text_order(one->path, other->path);
}

static int compare_attempt(const void *a, const void *b)
{
	const struct row *one = a, *other = b;
	int order = number_order(one->id, other->id);

	if (!order)
		order = text_order(one->cluster, other->cluster);
	return order ? order : number_order(other->attempt, one->attempt);
}

/* Of each job the attempt that is meant stays. */
static void keep_attempts(struct rows *rows)
{
	size_t kept = 0;

	if (rows->count)
		qsort(rows->list, rows->count, sizeof(rows->list[0]), compare_attempt);
	for (size_t i = 0; i < rows->count; i++) {
		struct row *row = &rows->list[i], *last = kept ? &rows->list[kept - 1] : NULL;
		bool same = last && last->id == row->id && text_order(last->cluster, row->cluster) == 0;

		if (rows->attempt ? row->attempt == rows->attempt : !same) {
			rows->list[kept++] = *row;
			continue;
		}
		if (same)
			last->earlier++;
		row_free(row);
	}
	rows->count = kept;
}

/* ---- by name ---- */

static int find_in(struct rows *rows, const char *directory, const char *pattern, const struct locate_job *job,
		   struct error *err)
{
	char **paths = locate_reports(directory, pattern, job, err);
	int result;

	if (!paths)
		return -1;
	result = take(rows, paths, job, false, err);
	locate_free(paths);
	return result;
}

/* By what is in the reports: an array's task has a job id that its report is not named for. */
static int find_by_content(struct rows *rows, const char *directory, const struct locate_job *job,
			   const struct conf *conf, struct error *err)
{
	char **paths = locate_reports(directory, conf->output, NULL, err);
	int result;

	if (!paths)
		return -1;
	result = take(rows, paths, job, true, err);
	locate_free(paths);
	return result;
}

/* The other components of a heterogeneous job have job ids of their own. */
static bool is_one_of_several(const struct rows *rows, const struct locate_job *job)
{
	for (size_t i = 0; i < rows->count; i++)
		if (job->task < 0 && job->offset < 0 && rows->list[i].het == job->id)
			return true;
	return false;
}

static void forget(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		row_free(&rows->list[i]);
	rows->count = 0;
}

/* Parts lie where the report goes; a directory that only the job could name is not looked for. */
static void find_parts(struct rows *rows, const char *directory, const struct conf *conf, const struct locate_job *job)
{
	const char *pattern = conf->output, *slash = strrchr(pattern, '/');
	const char *percent = strchr(pattern, '%');
	cleanup_free char *place = NULL;

	if ((slash && percent && percent < slash) || (job && job->task >= 0))
		return;
	if (asprintf(&place, "%s%s%.*s", pattern[0] == '/' ? "" : directory, slash && pattern[0] != '/' ? "/" : "",
		     slash ? (int)(slash - pattern) : 0, pattern) < 0) {
		place = NULL;
		return;
	}
	collect_alone(rows, *place ? place : "/", job ? job->id + (job->offset > 0 ? job->offset : 0) : 0, conf);
}

/* Reports by the site's pattern, and by the default one where that is another. */
static int find(struct rows *rows, const char *directory, const struct conf *conf, const struct locate_job *job,
		struct error *err)
{
	if (find_in(rows, directory, conf->output, job, err) < 0)
		return -1;
	if (rows->count == 0 && strcmp(conf->output, PATTERN_DEFAULT) != 0 &&
	    find_in(rows, directory, PATTERN_DEFAULT, job, err) < 0)
		return -1;
	if (job && is_one_of_several(rows, job)) {
		forget(rows);
		return find_by_content(rows, directory, job, conf, err);
	}
	if (!job || rows->count == 0)
		find_parts(rows, directory, conf, job);
	return 0;
}

void find_attempts(struct rows *rows, const struct row *of)
{
	const struct locate_job job = { .id = of->id, .task = -1, .offset = -1 };
	char **paths = locate_attempts(of->path);
	struct error err;

	if (!paths)
		return;
	take(rows, paths, &job, true, &err);
	locate_free(paths);
	for (size_t i = 0; i < rows->count; i++) {
		struct row *row = &rows->list[i];

		if (row->id == of->id && row->attempt != of->attempt && text_order(row->cluster, of->cluster) == 0)
			continue;
		row_free(row);
		*row = rows->list[--rows->count];
		i--;
	}
	if (rows->count)
		qsort(rows->list, rows->count, sizeof(rows->list[0]), compare_age);
}

/* The attempt that is meant lies beside the latest. */
static int take_attempt(struct rows *rows, const char *what, struct error *err)
{
	size_t count = rows->count;

	for (size_t i = 0; i < count; i++) {
		struct rows others = { .who = rows->who };

		find_attempts(&others, &rows->list[i]);
		for (size_t o = 0; o < others.count; o++)
			if (!rows_add(rows, &others.list[o]))
				row_free(&others.list[o]);
		free(others.list);
	}
	keep_attempts(rows);
	if (rows->count > 0 || rows->failed)
		return 0;
	return error_set(err, "job %s: no report of its attempt %lld beside its latest", what, (long long)rows->attempt);
}

static int find_anywhere(struct rows *rows, const char *name, struct locate_job *job, const struct conf *conf,
			 struct error *err)
{
	cleanup_json struct json_object *running = NULL;
	cleanup_free char *place = NULL;

	if (find(rows, ".", conf, job, err) < 0)
		return -1;
	if (rows->count > 0 || rows->failed)
		return 0;
	if (find_by_content(rows, ".", job, conf, err) < 0)
		return -1;
	if (rows->count > 0)
		return 0;
	if (find_place(name, job, &place, &running, err) < 0)
		return -1;
	if (running)
		return show_running(rows, name, running, conf, err);
	if (find(rows, place, conf, job, err) < 0 ||
	    (rows->count == 0 && find_by_content(rows, place, job, conf, err) < 0))
		return -1;
	if (rows->count > 0 || rows->failed)
		return 0;
	return error_set(err,
			 "job %s: no report of it in this directory, nor in %.200s, where it ran; a report goes to where "
			 "its --stint=output= or stint.conf says", name, place);
}

static int find_job(struct rows *rows, const char *name, struct locate_job *job, const struct conf *conf,
		    struct error *err)
{
	if (find_anywhere(rows, name, job, conf, err) < 0)
		return -1;
	if (rows->attempt)
		return take_attempt(rows, name, err);
	keep_attempts(rows);
	return 0;
}

/* ---- other words ---- */

static int find_directory(struct rows *rows, const char *directory, const struct conf *conf, struct error *err)
{
	if (find(rows, directory, conf, NULL, err) < 0)
		return -1;
	if (rows->count > 0 || rows->failed)
		return 0;
	return error_set(err, "%s: no reports in this directory (by the name of %s)", directory, conf->output);
}

static int find_file(struct rows *rows, const char *path, struct error *err)
{
	char *paths[2] = { (char *)(uintptr_t)path, NULL };

	if (take(rows, paths, NULL, false, err) < 0)
		return -1;
	return rows->attempt && rows->count ? take_attempt(rows, path, err) : 0;
}

/* For what no shell has looked into. */
static int find_glob(struct rows *rows, const char *pattern, struct error *err)
{
	glob_t matched = { 0 };
	int result = glob(pattern, 0, NULL, &matched);

	if (result == 0)
		result = take(rows, matched.gl_pathv, NULL, false, err);
	else
		result = error_set(err, "%s: %s", pattern,
				   result == GLOB_NOMATCH ? "names no file" : "cannot be searched for");
	globfree(&matched);
	return result;
}

static int find_what(struct rows *rows, const char *what, const struct conf *conf, struct error *err)
{
	struct locate_job job;
	struct stat st;

	if (stat(what, &st) < 0) {
		if (locate_parse_job(what, &job))
			return find_job(rows, what, &job, conf, err);
		if (strpbrk(what, "*?["))
			return find_glob(rows, what, err);
		return error_errno(err, "%s", what);
	}
	if (S_ISDIR(st.st_mode) && !locate_parse_job(what, &job))
		return find_directory(rows, what, conf, err);
	if (S_ISDIR(st.st_mode))
		return find_job(rows, what, &job, conf, err);
	return find_file(rows, what, err);
}

int find_rows(struct rows *rows, const char *what, const char *config, struct error *err)
{
	struct rows found = { .who = rows->who, .attempt = rows->attempt };
	struct conf conf;
	int result = -1;

	if (conf_load_default(&conf, config, err) == 0)
		result = find_what(&found, what, &conf, err);
	for (size_t i = 0; i < found.count; i++)
		if (found.list[i].lacks_nodes && !found.list[i].report)
			collect_better(&found.list[i], &conf);
	if (found.count > 1)
		qsort(found.list, found.count, sizeof(found.list[0]), compare_age);
	for (size_t i = 0; i < found.count; i++)
		if (result < 0 || !rows_add(rows, &found.list[i]))
			row_free(&found.list[i]);
	free(found.list);
	rows->failed = rows->failed || found.failed;
	return result;
}

void rows_free(struct rows *rows)
{
	forget(rows);
	free(rows->list);
	rows->list = NULL;
}

/* ---- whole reports ---- */

struct json_object *find_whole(const struct row *row, char **text, struct error *err)
{
	size_t len;

	if (!row->report)
		return report_load(row->path, text, err);
	*text = report_text(row->report, &len);
	if (*text)
		return json_object_get(row->report);
	error_set(err, "out of memory");
	return NULL;
}

struct json_object *find_brief(const struct row *row, struct error *err)
{
	return row->report ? json_object_get(row->report) : report_load_brief(row->path, err);
}

static void load(struct found *found, const struct row *row)
{
	struct found_report *reports = reallocarray(found->reports, found->count + 1, sizeof(*reports));
	struct found_report one = { .order = found->count };
	struct error err;

	if (!reports)
		return;
	found->reports = reports;
	one.report = find_whole(row, &one.text, &err);
	if (one.report) {
		one.path = strdup(row->path);
		reports[found->count++] = one;
		return;
	}
	find_complain(found->who, err.text);
	found->failed = true;
}

int find_reports(struct found *found, const char *what, const char *config, struct error *err)
{
	struct rows rows = { .who = found->who };
	int result = find_rows(&rows, what, config, err);

	found->failed = found->failed || rows.failed;
	for (size_t i = 0; result == 0 && i < rows.count; i++)
		load(found, &rows.list[i]);
	rows_free(&rows);
	return result;
}

void find_free(struct found *found)
{
	for (size_t i = 0; i < found->count; i++) {
		json_object_put(found->reports[i].report);
		free(found->reports[i].text);
		free(found->reports[i].path);
	}
	free(found->reports);
}
