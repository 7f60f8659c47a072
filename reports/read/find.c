/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/find.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/conf.h"
#include "common/pattern.h"
#include "reports/files/report_file.h"
#include "reports/json/job_state.h"
#include "reports/model/report_write.h"
#include "reports/read/collect.h"
#include "reports/read/find_place.h"
#include "reports/read/locate.h"
#include "reports/read/moved.h"
#include "reports/read/query_job.h"
#include "reports/files/reach.h"
#include "reports/read/slurm_rows.h"
#include "reports/slurm/slurm_job.h"
#include "reports/slurm/slurm_jobs.h"

#define DAY_S 86400 /* a job may be submitted days before it begins */

/* ---- taking rows ---- */

static bool is_of_job(const struct summary *row, const struct locate_job *job)
{
	if (job->has_user && row->uid >= 0 && row->uid != job->user)
		return false;
	if (job->task >= 0)
		return row->array == job->id && row->task == job->task;
	if (job->offset >= 0)
		return row->het == job->id && row->het_offset == job->offset;
	return row->id == job->id || row->array == job->id || row->het == job->id;
}

/* Why a file is read. */
enum how {
	NAMED, /* the user named it */
	FOUND, /* a report of the job may have this file name */
	TRIED, /* no file has such a name, so all files are tried; their errors are not reported */
};

/* @names: if a message has already named this file by another path, adds 1 and prints no message */
static void say_unread(struct rows *rows, const struct summary *row, size_t *names)
{
	rows->failed = true;
	if (row->again)
		++*names;
	else
		find_complain(rows->who, row->error);
}

/* Names only the first foreign file: a user can make very many. */
static void say_foreign(const struct rows *rows, const char *first, size_t count)
{
	if (count > 0)
		find_say_left_out(rows->who, first);
	if (count > 1)
		find_say_foreign(rows->who, count - 1);
}

/* @job: add only its reports; NULL: add all */
static int add_files(struct rows *rows, char **paths, const struct locate_job *job, enum how how, struct error *err)
{
	cleanup_free struct summary *read = NULL;
	size_t count = 0, names = 0, others = 0;
	const char *first = NULL;

	while (paths[count])
		count++;
	read = calloc(count ? count : 1, sizeof(*read));
	if (!read)
		return error_set(err, "out of memory");
	summaries_read(read, paths, count, how == TRIED ? job->id : -1);
	for (size_t i = 0; i < count; i++) {
		bool meant = !read[i].error && (!job || is_of_job(&read[i], job));

		if (read[i].error && how != TRIED)
			say_unread(rows, &read[i], &names);
		if (meant && read[i].foreign && how != NAMED)
			first = others++ ? first : paths[i];
		else if (meant && rows_add(rows, &read[i]))
			continue;
		summary_free(&read[i]);
	}
	if (names)
		find_say_names(rows->who, names);
	if (how == FOUND)
		say_foreign(rows, first, others);
	rows->failed = rows->failed || (others && !job && how == FOUND);
	return 0;
}

/* ---- by name ---- */

/* Which files to look for. */
struct files_wanted {
	const char *directory, *pattern;
	const struct locate_job *named; /* look only for names of this job's reports; NULL: all names */
	enum how how;
};

/* @job: add only its reports; NULL: add all */
static int find_named(struct rows *rows, const struct files_wanted *wanted, const struct locate_job *job, struct error *err)
{
	char **paths = locate_reports(wanted->directory, wanted->pattern, wanted->named, err);
	int result;

	if (!paths)
		return -1;
	result = add_files(rows, paths, job, wanted->how, err);
	locate_free(paths);
	return result;
}

static int find_in(struct rows *rows, const char *directory, const char *pattern, const struct locate_job *job,
		   struct error *err)
{
	return find_named(rows, &(struct files_wanted){ directory, pattern, job, FOUND }, job, err);
}

static bool has_job(const struct rows *rows, const struct summary *row)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows_same_job(&rows->list[i], row))
			return true;
	return false;
}

/* Adds the reports that @job moved elsewhere, if @rows has no row of the job. @named: as in struct files_wanted */
static int find_moved(struct rows *rows, const char *directory, const struct locate_job *named, const struct locate_job *job,
		      struct error *err)
{
	const struct files_wanted wanted = { directory, PATTERN_LINK, named, TRIED };
	struct rows moved = { .who = rows->who };
	int result = find_named(&moved, &wanted, job, err);

	for (size_t i = 0; i < moved.count; i++) {
		moved_follow(&moved.list[i].path);
		if (has_job(rows, &moved.list[i]) || !rows_add(rows, &moved.list[i]))
			summary_free(&moved.list[i]);
	}
	free(moved.list);
	return result;
}

/* Finds reports by their content: a task's own job id is not in the report's name. */
static int find_by_content(struct rows *rows, const char *directory, const struct locate_job *job,
			   const struct conf *conf, struct error *err)
{
	if (find_named(rows, &(struct files_wanted){ directory, conf->output, NULL, TRIED }, job, err) < 0)
		return -1;
	return find_moved(rows, directory, NULL, job, err);
}

/*
 * Returns whether @rows has a row of the heterogeneous job whose first component is @job.
 * All other components have job ids of their own.
 */
static bool is_one_of_several(const struct rows *rows, const struct locate_job *job)
{
	for (size_t i = 0; i < rows->count; i++)
		if (job->task < 0 && job->offset < 0 && rows->list[i].het == job->id)
			return true;
	return false;
}

/*
 * Finds the parts of jobs. Parts are in the directory of the report.
 * Does not search for a task of an array, or if the directory in the pattern has a percent sign.
 */
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

/* Finds reports by the site's pattern, else by the default pattern, else by links to moved reports. */
static int find_in_directory(struct rows *rows, const char *directory, const struct conf *conf,
			     const struct locate_job *job, struct error *err)
{
	if (find_in(rows, directory, conf->output, job, err) < 0)
		return -1;
	if (rows->count == 0 && strcmp(conf->output, PATTERN_DEFAULT) != 0 &&
	    find_in(rows, directory, PATTERN_DEFAULT, job, err) < 0)
		return -1;
	if (job && rows->count == 0 && find_moved(rows, directory, job, job, err) < 0)
		return -1;
	if (job && is_one_of_several(rows, job)) {
		rows_drop(rows);
		return find_by_content(rows, directory, job, conf, err);
	}
	if (!job || rows->count == 0)
		find_parts(rows, directory, conf, job);
	return 0;
}

void find_attempts(struct rows *rows, const struct summary *of)
{
	const struct locate_job job = { .id = of->id, .task = -1, .offset = -1, .has_user = of->uid >= 0, .user = of->uid };
	char **paths = locate_attempts(of->path);
	struct error err;

	if (!paths)
		return;
	add_files(rows, paths, &job, TRIED, &err);
	locate_free(paths);
	for (size_t i = 0; i < rows->count; i++) {
		struct summary *row = &rows->list[i];

		if (rows_same_job(row, of) && row->attempt != of->attempt)
			continue;
		summary_free(row);
		*row = rows->list[--rows->count];
		i--;
	}
	rows_sort_attempts(rows);
}

/* The report of the wanted attempt is in the same directory as the report of the latest attempt. */
static int take_attempt(struct rows *rows, const char *what, struct error *err)
{
	size_t count = rows->count;

	for (size_t i = 0; i < count; i++) {
		struct rows others = { .who = rows->who };

		find_attempts(&others, &rows->list[i]);
		for (size_t o = 0; o < others.count; o++)
			if (!rows_add(rows, &others.list[o]))
				summary_free(&others.list[o]);
		free(others.list);
	}
	rows_keep_attempts(rows);
	if (rows->count > 0 || rows->failed)
		return 0;
	return error_set(err, "job %s: no report of attempt %lld beside the report of its latest "
			      "attempt", what, (long long)rows->attempt);
}

/* ---- the owner of a job ---- */

/* Keeps reports of @user's jobs, and reports that do not name their user. */
static void keep_user(struct rows *rows, int64_t user)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (rows->list[i].uid < 0 || rows->list[i].uid == user)
			rows->list[kept++] = rows->list[i];
		else
			summary_free(&rows->list[i]);
	}
	rows->count = kept;
}

static bool all_of_user(const struct rows *rows, int64_t user)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].uid >= 0 && rows->list[i].uid != user)
			return false;
	return true;
}

static bool some_of_user(const struct rows *rows, int64_t user)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].uid == user)
			return true;
	return false;
}

static bool all_of_one_user(const struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].uid >= 0)
			return all_of_user(rows, rows->list[i].uid);
	return true;
}

/*
 * Keeps only reports of the job's user. A user who may write to a directory can put a report there with another job's
 * number.
 * If Slurm does not know the job, keeps only the reader's own reports; if there are none, keeps all reports.
 * Returns 0; -1 with @err set if the remaining reports are of several users.
 */
static int keep_jobs_user(struct rows *rows, const char *name, const struct locate_job *job, struct error *err)
{
	if (job->has_user) {
		keep_user(rows, job->user);
		return 0;
	}
	if (some_of_user(rows, geteuid()))
		keep_user(rows, geteuid());
	if (all_of_one_user(rows))
		return 0;
	rows_drop(rows);
	return error_set(err, "job %s: jobs of several users with this number have reports here, and Slurm does not say which job is "
			      "meant: name the file", name);
}

/* ---- by a job's name ---- */

static int find_here(struct rows *rows, struct locate_job *job, const struct conf *conf, struct error *err)
{
	if (find_in_directory(rows, ".", conf, job, err) < 0)
		return -1;
	if (rows->count > 0 || rows->failed)
		return 0;
	return find_by_content(rows, ".", job, conf, err);
}

static int say_silent(const char *name, const char *place, struct error *err)
{
	return error_set(err, "job %s: no report of it in this directory; and %.200s, where it ran, is on a file system that does "
			 "not answer", name, place);
}

/*
 * Finds the reports at @place, and guards all reads from here on.
 * The guard stays after the return, because a page is later made from files at @place.
 */
static int find_at_place(struct rows *rows, const char *place, const char *name, const struct locate_job *job,
			 const struct conf *conf, struct error *err)
{
	static struct reach reach = REACH_NONE;
	cleanup_free char *path = NULL;

	/* Check a name inside the directory: for the directory itself, the kernel may answer from its cache. */
	if (asprintf(&path, "%s/stint-%s.json", place, name) < 0)
		return error_set(err, "out of memory");
	/* Forget that earlier calls got no answer: the file system may answer now. */
	reach_end(&reach);
	reach_anew(&reach);
	reach_guard(&reach);
	if (reach_look(&reach, path) < 0)
		return say_silent(name, place, err);
	if (find_in_directory(rows, place, conf, job, err) < 0 ||
	    (rows->count == 0 && find_by_content(rows, place, job, conf, err) < 0))
		return reach.silent ? say_silent(name, place, err) : -1;
	if (rows->count == 0 && !rows->failed && reach.silent)
		return say_silent(name, place, err);
	return 0;
}

static bool is_unfinished_task(const struct rows *rows, const struct locate_job *job,
			       const struct record_slurm_job *slurm)
{
	int64_t task = slurm->array_task_id;

	if (find_array_of(slurm) != job->id || !state_goes_on(slurm->state))
		return false;
	for (size_t i = 0; i < rows->count; i++)
		if (task >= 0 && rows->list[i].task == task)
			return false;
	return true;
}

static void add_tasks(struct rows *rows, const struct locate_job *job, const struct record_slurm_job *slurm,
		      const struct conf *conf, struct error *err)
{
	struct slurm_jobs_question question = { 0, time(NULL) + DAY_S, SLURM_JOBS_EVERYBODY };
	cleanup_free struct record_slurm_job *tasks = NULL;
	struct record_slurm_job_list list = { 0 };
	struct slurm_jobs jobs = { 0 };
	bool told = false;
	size_t count = 0;

	take_count(slurm->submit_unix_s, &question.since_s);
	take_count(slurm->user_id, &question.uid);
	if (rows->unfinished && slurm_jobs_ask(&question, &jobs, err) == 0)
		count = jobs.answer->jobs.count;
	list.items = tasks = calloc(count + 1, sizeof(*tasks));
	for (size_t i = 0; tasks && i < count; i++) {
		const struct record_slurm_job *one = &jobs.answer->jobs.items[i];

		told |= one->job_id >= 0 && one->job_id == slurm->job_id;
		if (is_unfinished_task(rows, job, one))
			tasks[list.count++] = *one;
	}
	if (rows->unfinished && tasks && !told && is_unfinished_task(rows, job, slurm))
		tasks[list.count++] = *slurm;
	slurm_rows_add(rows, &list, conf);
	slurm_jobs_free(&jobs);
}

/*
 * Adds the tasks of the array @job that run or wait. Without them the array would look finished.
 * If no task has ended and no task runs, sets @err to say so.
 * @slurm: Slurm's answer about one of the tasks
 */
static int add_unfinished(struct rows *rows, const char *name, const struct locate_job *job,
			  const struct record_slurm_job *slurm, const struct conf *conf, struct error *err)
{
	const char *waits_for = slurm->waits_for;

	add_tasks(rows, job, slurm, conf, err);
	if (rows->failed)
		return 0;
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].path || (rows->list[i].state && !state_waits(rows->list[i].state)))
			return 0;
	rows_drop(rows);
	return error_set(err, "job %s: none of its tasks has %s yet, so there is no report%s%.100s", name,
			 rows->unfinished ? "started" : "ended", waits_for ? ": PENDING, " : "", waits_for ? waits_for : "");
}

/*
 * Adds unfinished tasks to an array whose reports are in this directory.
 * Without an answer of Slurm, @rows has only the reports.
 */
static void add_unfinished_here(struct rows *rows, const char *name, const struct locate_job *job, const struct conf *conf)
{
	cleanup_answer struct slurm_answer *answer = NULL;
	const struct record_slurm_job *slurm;
	struct error err;

	if (job->task >= 0 || job->offset >= 0 || rows->list[0].array != job->id)
		return;
	answer = slurm_job(NULL, name, &err);
	slurm = slurm_answer_job(answer);
	if (slurm && find_goes_on(slurm, job))
		add_unfinished(rows, name, job, slurm, conf, &err);
}

static int find_anywhere(struct rows *rows, const char *name, struct locate_job *job, const struct conf *conf,
			 struct error *err)
{
	cleanup_found_place struct found_place place = { 0 };
	cleanup_free char *why = NULL;
	int asked;

	if (find_here(rows, job, conf, err) < 0)
		return -1;
	if (rows->count > 0 && !rows->failed && rows->unfinished && all_of_user(rows, geteuid()))
		add_unfinished_here(rows, name, job, conf);
	if (rows->failed || (rows->count > 0 && all_of_user(rows, geteuid())))
		return 0;
	if (rows->count == 0)
		find_tried(rows, "tried: no report of job %s with the name %s in this directory", name, conf->output);
	asked = find_place(rows, name, job, &place, err);
	if (rows->count > 0 && keep_jobs_user(rows, name, job, err) < 0)
		return -1;
	if (rows->count > 0)
		return 0;
	if (asked < 0)
		return -1;
	if (place.running)
		return query_running(rows, name, slurm_answer_job(place.running), conf, QUERY_WAIT_MS, err);
	if (find_at_place(rows, place.directory, name, job, conf, err) < 0)
		return -1;
	if (place.array)
		return add_unfinished(rows, name, job, slurm_answer_job(place.array), conf, err);
	if (rows->count > 0 || rows->failed)
		return 0;
	why = find_why_unwritten(place.directory, job->has_user && job->user == geteuid(), conf->spool_max_age_h);
	if (why)
		return error_set(err, "job %s: %s", name, why);
	if (place.doubt)
		return error_set(err, "job %s: no report of it in this directory, nor in %.200s: %s", name, place.directory,
				 place.doubt);
	return error_set(err,
			 "job %s: no report of it in this directory, nor in %.200s, where it ran. A report goes to where its "
			 "--stint=output= or stint.conf says. If it cannot be written there, it waits on its node, and stintd's log "
			 "says why. With --stint=off, there is no report", name, place.directory);
}

static int find_job(struct rows *rows, const char *name, struct locate_job *job, const struct conf *conf,
		    struct error *err)
{
	if (find_anywhere(rows, name, job, conf, err) < 0)
		return -1;
	if (rows->attempt)
		return take_attempt(rows, name, err);
	rows_keep_attempts(rows);
	return 0;
}

/* ---- files, directories, globs ---- */

int find_none(const char *directory, const char *pattern, struct error *err)
{
	if (access(directory, R_OK | X_OK) < 0)
		return error_errno(err, "%s", directory);
	return error_set(err, "%s: this directory has no reports with the name %s; for other names, give a glob in quotes: "
			      "'%s/*.json'",
			 directory, pattern, directory);
}

static int find_directory(struct rows *rows, const char *directory, const struct conf *conf, struct error *err)
{
	if (find_in_directory(rows, directory, conf, NULL, err) < 0)
		return -1;
	if (rows->count > 0 || rows->failed)
		return 0;
	return find_none(directory, conf->output, err);
}

static int find_file(struct rows *rows, const char *path, struct error *err)
{
	char *paths[2] = { (char *)(uintptr_t)path, NULL };

	if (add_files(rows, paths, NULL, NAMED, err) < 0)
		return -1;
	return rows->attempt && rows->count ? take_attempt(rows, path, err) : 0;
}

/* Sets @err for what only looks like a job: "abc", "1.batch", "1-5" or "1,2". */
static int say_unknown(const char *what, int why, struct error *err)
{
	const char *hint = "";

	if (why != ENOENT || strchr(what, '/') || strstr(what, ".json"))
		return error_set(err, "%s: %s", what, strerror(why));
	if (*what >= '0' && *what <= '9' && strchr(what, '.'))
		hint = ": the steps of a job are on its page";
	else if (*what >= '0' && *what <= '9' && strpbrk(what, ",-"))
		hint = ": separate jobs by spaces";
	return error_set(err, "%s: neither a job's number nor a file%s", what, hint);
}

static int find_glob(struct rows *rows, const char *pattern, struct error *err)
{
	glob_t matched = { 0 };
	int result = glob(pattern, 0, NULL, &matched);

	if (result == 0)
		result = add_files(rows, matched.gl_pathv, NULL, NAMED, err);
	else
		result = error_set(err, "%s: %s", pattern,
				   result == GLOB_NOMATCH ? "names no file" : "cannot be searched for");
	globfree(&matched);
	return result;
}

/*
 * Finds what the user named.
 * A job's number or "last" is never a file: any user may have put a file of that name here.
 */
static int find_what(struct rows *rows, const char *what, const struct conf *conf, struct error *err)
{
	char last[SUMMARY_ID_TEXT];
	struct locate_job job;
	struct stat st;

	if (strcmp(what, SLURM_ROWS_LAST) == 0) {
		if (slurm_rows_last(last, err) < 0)
			return -1;
		what = last;
	}
	if (locate_parse_job(what, &job))
		return find_job(rows, what, &job, conf, err);
	if (stat(what, &st) == 0)
		return S_ISDIR(st.st_mode) ? find_directory(rows, what, conf, err) : find_file(rows, what, err);
	if (strpbrk(what, "*?["))
		return find_glob(rows, what, err);
	return say_unknown(what, errno, err);
}

int find_conf(struct conf *conf, const char *config, const char *who, struct error *err)
{
	static bool warned;
	struct error warning;

	if (conf_load_known(conf, config, &warning, err) < 0)
		return -1;
	if (warning.text[0] && !warned) {
		find_complain(who, warning.text);
		warned = true;
	}
	return 0;
}

int find_rows(struct rows *rows, const char *what, const char *config, struct error *err)
{
	struct rows found = { .who = rows->who, .attempt = rows->attempt, .verbose = rows->verbose, .unfinished = rows->unfinished };
	struct conf conf;
	int result = -1;

	if (find_conf(&conf, config, rows->who, err) == 0)
		result = find_what(&found, what, &conf, err);
	for (size_t i = 0; i < found.count; i++)
		if (found.list[i].lacks_nodes && !found.list[i].report)
			collect_better(&found.list[i], &conf);
	rows_sort(&found);
	for (size_t i = 0; i < found.count; i++)
		if (result < 0 || !rows_add(rows, &found.list[i]))
			summary_free(&found.list[i]);
	free(found.list);
	rows->failed = rows->failed || found.failed;
	return result;
}

/* ---- whole reports ---- */

struct report *find_whole(const struct summary *row, char **text, struct error *err)
{
	struct report *report = NULL;
	size_t len;

	if (row->report)
		report = report_share(row->report);
	else
		report = report_load(row->path, row->foreign ? NULL : text, err);
	/* Another user's file: write the text from @report, which has no advice to paste. */
	if (!report || !text || (!row->report && !row->foreign))
		return report;
	*text = report_write(report, &len);
	if (*text)
		return report;
	report_free(report);
	error_set(err, "out of memory");
	return NULL;
}

void find_say_unproved(const char *who, const struct summary *row)
{
	struct error why;

	error_set(&why, "%.300s does not belong to the job's user: nothing proves what the file says", row->path);
	find_complain(who, why.text);
}

struct report *find_parts_of(const struct summary *row, uint64_t parts, struct error *err)
{
	return row->report ? report_share(row->report) : report_load_parts(row->path, parts, err);
}
