/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/slurm_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/time_text.h"
#include "reports/json/job_state.h"
#include "reports/read/find_messages.h"
#include "reports/read/moved.h"
#include "reports/read/query_job.h"
#include "reports/read/slurm_reports.h"
#include "reports/slurm/slurm_jobs.h"

#define LAST_DAYS 7
#define DAY_S 86400
#define ASK_MS 2000
#define ASK_EACH_MS 600 /* stintd answers a user twice a second */

/* ---- rows ---- */

struct adding {
	struct rows *rows;
	const struct conf *conf;
	size_t foreign;
	int64_t ask_until_ms; /* until when to ask stintd about running jobs */
};

static bool is_of(const struct summary *report, const struct record_slurm_job *job)
{
	int64_t end_us;

	if (report->error || report->foreign)
		return false;
	if (!report->end || !time_parse(report->end, &end_us))
		end_us = -1;
	return slurm_report_is_of(job, report->id, report->uid, end_us);
}

/* Prints why a report was refused. Without this message, the job would seem to have no report. */
static void say_refused(struct rows *rows, const struct summary *report)
{
	if (!report->again)
		find_complain(rows->who, report->error);
	rows->failed = true;
}

/* Names only the first report of another user. */
static void say_foreign(const struct rows *rows, const struct summary *report, size_t *foreign)
{
	if (++*foreign == 1)
		find_say_left_out(rows->who, report->path);
}

/* If the job runs only on this node, @row gets what the job has used so far. */
static void show_so_far(struct summary *row, const struct record_slurm_job *job, const struct conf *conf)
{
	cleanup_report struct report *report = NULL;
	struct summary so_far;
	struct error err;

	report = query_report(job, conf, ASK_EACH_MS, &err);
	if (!report)
		return;
	summary_of(&so_far, report, "");
	report_free(so_far.report);
	free(so_far.path);
	so_far.report = NULL;
	so_far.path = NULL; /* the report is in no file */
	summary_free(row);
	*row = so_far;
}

static void add_row(struct adding *adding, struct summary *report, const struct record_slurm_job *job)
{
	struct rows *rows = adding->rows;
	struct summary row;

	if (report && report->why == EFBIG)
		say_refused(rows, report);
	else if (report && report->foreign)
		say_foreign(rows, report, &adding->foreign);
	summary_of_slurm(&row, job);
	/* If a requeued job runs again, its report is of the previous attempt: do not use this report. */
	if (report && is_of(report, job) && !row.so_far) {
		summary_free(&row);
		row = *report;
		moved_follow(&row.path);
	} else if (report) {
		summary_free(report);
	}
	if (!row.path && state_runs(row.state) && row.nodes == 1 && clock_ms() < adding->ask_until_ms)
		show_so_far(&row, job, adding->conf);
	if (!rows_add(rows, &row))
		summary_free(&row);
}

void slurm_rows_add(struct rows *rows, const struct record_slurm_job_list *jobs, const struct conf *conf)
{
	struct adding adding = { .rows = rows, .conf = conf };
	size_t count = jobs->count, found = 0;
	char **paths = calloc(count + 1, sizeof(*paths));
	cleanup_free size_t *which = calloc(count + 1, sizeof(*which));
	cleanup_free struct summary *reports = calloc(count + 1, sizeof(*reports));
	struct reach reach = REACH_NONE;

	for (size_t i = 0; paths && which && i < count; i++) {
		paths[found] = slurm_report_path(&jobs->items[i], conf, &reach);
		if (paths[found])
			which[found++] = i;
	}
	reach_guard(&reach);
	if (reports && which)
		summaries_read(reports, paths, found, -1);
	adding.ask_until_ms = clock_ms() + ASK_MS;
	for (size_t i = 0, next = 0; reports && which && i < count; i++) {
		struct summary *report = next < found && which[next] == i ? &reports[next++] : NULL;

		add_row(&adding, report, &jobs->items[i]);
	}
	if (adding.foreign > 1)
		find_say_foreign(rows->who, adding.foreign - 1);
	if (reach.silent)
		find_say_silent(rows->who, &reach);
	rows->failed = rows->failed || reach.silent;
	reach_end(&reach);
	for (size_t i = 0; i < found; i++)
		free(paths[i]);
	free(paths);
}

/* ---- the latest job ---- */

int slurm_rows_last(char name[SUMMARY_ID_TEXT], struct error *err)
{
	const struct slurm_jobs_question question = { time(NULL) - LAST_DAYS * DAY_S, time(NULL) + DAY_S, getuid() };
	struct slurm_jobs jobs;
	bool found = false;

	if (slurm_jobs_ask(&question, &jobs, err) < 0)
		return -1;
	for (size_t i = 0; !found && i < jobs.answer->jobs.count; i++) {
		const struct record_slurm_job *job = &jobs.answer->jobs.items[i];
		struct summary row;

		found = job->node_list;
		if (!found)
			continue;
		summary_of_slurm(&row, job);
		summary_id(&row, name);
		summary_free(&row);
	}
	slurm_jobs_free(&jobs);
	return found ? 0 : error_set(err, "no job of yours has started within the last %d days", LAST_DAYS);
}
