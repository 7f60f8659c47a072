/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint watch: shows the page of a job, and redraws it each second until the job has ended. */

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/conf.h"
#include "common/query.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/screen.h"
#include "reports/cmd/shared_options.h"
#include "reports/json/job_state.h"
#include "reports/read/find.h"
#include "reports/read/locate.h"
#include "reports/read/query_job.h"
#include "reports/read/slurm_rows.h"
#include "reports/slurm/slurm_job.h"
#include "reports/text/page.h"

#define WHO "stint watch"
#define EACH_MS 1000
/* how often to ask Slurm for a new time limit, or whether a waiting job has started */
#define ASK_SLURM_MS 30000
#define START_WAIT_MS 10000 /* stintd may learn of a started job so late */
#define REPORT_WAIT_MS 60000 /* how long to wait for the report of an ended job */
#define CPU_S 600
#define ASK_STINTD_MS 600 /* during this time, the key q has no effect */

struct watch {
	const char *what, *config;
	struct conf conf;
	struct page_options page;
	bool own_width; /* from --width */
	struct slurm_answer *answer;          /* Slurm's last answer; NULL without an answer, or if Slurm does not know the job */
	const struct record_slurm_job *slurm; /* the job in answer, if it runs; else NULL */
	bool waits;                /* the job waits to start, or to start again */
	bool silent;               /* the job waited, and Slurm did not answer when last asked */
	int64_t asked_ms;
	int64_t started_ms; /* when a waiting job was seen to run; 0 after its first page */
	int64_t gone_ms; /* when the job was seen to have ended without a report; else 0 */
	char *shown;     /* the last page */
	bool shows_wait; /* the last page is of a waiting job */
};

/*
 * Allows CPU_S seconds of CPU time for the next frame.
 * One limit for all frames would end a watch of several days.
 */
static void allow_frame(void)
{
	struct rusage used;
	struct rlimit cpu;

	if (getrusage(RUSAGE_SELF, &used) < 0 || getrlimit(RLIMIT_CPU, &cpu) < 0 || cpu.rlim_cur == RLIM_INFINITY)
		return;
	cpu.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + CPU_S;
	if (cpu.rlim_max != RLIM_INFINITY && cpu.rlim_cur > cpu.rlim_max)
		cpu.rlim_cur = cpu.rlim_max;
	setrlimit(RLIMIT_CPU, &cpu);
}

/* ---- the job ---- */

static void show(struct watch *watch, char *page, bool waits)
{
	free(watch->shown);
	watch->shown = page;
	watch->shows_wait = waits;
}

static int make_waiting_page(struct watch *watch, const struct record_slurm_job *job, struct error *err)
{
	const char *reason = job->waits_for;
	char *text;

	if (asprintf(&text, "Job %s waits to start%s: %s%s%s\n", watch->what, job->restarts > 0 ? " again" : "",
		     job->state ?: "?", reason ? ", " : "", reason ? reason : "") < 0)
		return error_set(err, "out of memory");
	show(watch, text, true);
	return 0;
}

/* Slurm lists all waiting tasks of an array as one job. */
static bool is_several(const struct watch *watch, const struct record_slurm_job *job)
{
	return job->array_tasks && !strchr(watch->what, '_');
}

static int say_several(const struct watch *watch, struct error *err)
{
	return error_set(err, "%s: an array or a heterogeneous job has many pages: which one, such as %s_1?", watch->what,
			 watch->what);
}

/*
 * Sets watch->waits if the job waits, and watch->slurm if it runs.
 * Returns 0; -1 with @err set if there will never be anything to watch.
 */
static int take_answer(struct watch *watch, const struct record_slurm_job *job, struct error *err)
{
	bool waited = watch->waits;

	watch->waits = state_waits(job->state);
	if (watch->waits && is_several(watch, job))
		return say_several(watch, err);
	if (watch->waits)
		return make_waiting_page(watch, job, err);
	if (state_runs(job->state)) {
		watch->slurm = job;
		watch->started_ms = waited ? clock_ms() : watch->started_ms;
		return 0;
	}
	if (!job->node_list && waited)
		return error_set(err, "job %s: it ended while it waited to start: %s", watch->what,
				 job->state ?: "?");
	return 0;
}

/*
 * Asks Slurm whether the job runs or waits.
 * If Slurm does not answer, takes a waiting job to be still waiting.
 * Returns what take_answer() returns.
 */
static int ask_slurm(struct watch *watch, struct error *err)
{
	const struct record_slurm_job *job;
	struct locate_job name;

	slurm_answer_free(watch->answer);
	watch->answer = NULL;
	watch->slurm = NULL;
	watch->asked_ms = clock_ms();
	if (locate_parse_job(watch->what, &name))
		watch->answer = slurm_job(NULL, watch->what, err);
	job = slurm_answer_job(watch->answer);
	watch->silent = watch->waits && !job && !strstr(err->text, SLURM_JOB_UNKNOWN);
	if (job)
		return take_answer(watch, job, err);
	watch->waits = watch->silent;
	return 0;
}

static int ask_stintd(struct watch *watch, struct rows *rows, struct error *err)
{
	return query_running(rows, watch->what, watch->slurm, &watch->conf, watch->shown ? ASK_STINTD_MS : QUERY_WAIT_MS, err);
}

static bool may_be_unknown_yet(const struct watch *watch)
{
	return watch->started_ms && clock_ms() - watch->started_ms < START_WAIT_MS;
}

static int find_report(struct watch *watch, struct rows *rows, struct error *err)
{
	int result = find_rows(rows, watch->what, watch->config, err);

	return result == 0 && rows->count != 1 ? say_several(watch, err) : result;
}

/*
 * Adds the job's report to @rows. The report of a running job has what the job has used so far.
 * Adds nothing while the job waits.
 *
 * @over: set to true if it is useless to try again
 *
 * Returns 0; -1 with @err set.
 */
static int read_job(struct watch *watch, struct rows *rows, bool *over, struct error *err)
{
	bool asked = (watch->slurm || watch->waits) && clock_ms() - watch->asked_ms < ASK_SLURM_MS;

	*over = false;
	if (asked && watch->waits)
		return 0;
	if (asked && ask_stintd(watch, rows, err) == 0)
		return 0;
	/* Do not ask Slurm each second while stintd only needs more time. */
	if (asked && (may_be_unknown_yet(watch) || strstr(err->text, QUERY_BUSY)))
		return -1;
	if (ask_slurm(watch, err) < 0) {
		*over = true;
		return -1;
	}
	if (watch->waits)
		return 0;
	return watch->slurm ? ask_stintd(watch, rows, err) : find_report(watch, rows, err);
}

/* ---- the screen ---- */

static int make_page(struct watch *watch, const struct summary *row, struct error *err)
{
	cleanup_report struct report *report = find_parts_of(row, REPORT_PARTS_BRIEF, err);
	char *text = NULL;
	size_t length;
	FILE *out = report ? open_memstream(&text, &length) : NULL;

	if (!report)
		return -1;
	if (!out)
		return error_set(err, "out of memory");
	if (!watch->own_width)
		watch->page.width = page_options_for(stdout).width;
	page_print(report, &watch->page, out);
	if (fclose(out) != 0) {
		free(text);
		return error_set(err, "out of memory");
	}
	show(watch, text, false);
	return 0;
}

static void draw(const struct watch *watch, const char *why)
{
	time_t now = time(NULL);
	struct tm local;
	char status[256];

	localtime_r(&now, &local);
	snprintf(status, sizeof(status), "job %s, %02d:%02d:%02d%s%s   (q ends)", watch->what, local.tm_hour, local.tm_min,
		 local.tm_sec, why ? ": " : "", why ? why : "");
	screen_draw(watch->shown ? watch->shown : "", status);
}

/* Prints the error. If it advises "stint report", prints "stint watch" instead, with --pty for a terminal. */
static void complain(const struct error *err)
{
	static const char once[] = "--overlap stint report ", again[] = "--overlap --pty stint watch ";
	const char *found = strstr(err->text, once);
	struct error other;

	if (found)
		error_set(&other, "%.*s%s%s", (int)(found - err->text), err->text, again, found + strlen(once));
	find_complain(WHO, found ? other.text : err->text);
}

/*
 * Draws the screen while stintd does not yet know a job that has just started.
 * Returns false after START_WAIT_MS, because the job then runs on another host.
 */
static bool goes_on_after_start(const struct watch *watch)
{
	draw(watch, "the job has started; stintd has not answered yet");
	return may_be_unknown_yet(watch);
}

static bool goes_on(struct watch *watch, const struct rows *rows, int result, struct error *err)
{
	if (watch->waits) {
		draw(watch, watch->silent ? "Slurm does not answer just now" : "stint asks Slurm every half minute");
		return true;
	}
	if (result == 0 && make_page(watch, &rows->list[0], err) == 0) {
		watch->gone_ms = watch->started_ms = 0;
		draw(watch, NULL);
		return rows->list[0].so_far;
	}
	if (watch->shows_wait) /* the job no longer waits */
		show(watch, strdup(""), false);
	if (watch->slurm && watch->started_ms)
		return goes_on_after_start(watch);
	if (watch->slurm) {
		draw(watch, "stintd does not answer just now");
		return true;
	}
	if (!watch->gone_ms)
		watch->gone_ms = clock_ms();
	draw(watch, "the job has ended; waiting for its report");
	return clock_ms() - watch->gone_ms < REPORT_WAIT_MS;
}

static int watch_it(struct watch *watch, struct error *err)
{
	bool more = true, over = false;
	int result = 0;

	screen_begin();
	draw(watch, NULL);
	while (more && screen_wait(EACH_MS) != SCREEN_END) {
		struct rows rows = { .who = WHO };

		allow_frame();
		result = read_job(watch, &rows, &over, err);
		more = !over && goes_on(watch, &rows, result, err);
		rows_free(&rows);
	}
	screen_end();
	if (!over && watch->shown)
		fputs(watch->shown, stdout);
	return more ? 0 : result;
}

/*
 * Reads the job for the first time. Is called before screen_begin(), so that errors stay visible.
 *
 * @goes_on: set to true if there is more to watch
 */
static int begin(struct watch *watch, bool *goes_on, struct error *err)
{
	struct rows rows = { .who = WHO };
	bool over;
	int result = read_job(watch, &rows, &over, err);

	*goes_on = result == 0 && (watch->waits || rows.list[0].so_far);
	if (result == 0 && !watch->waits)
		result = make_page(watch, &rows.list[0], err);
	rows_free(&rows);
	return result;
}

int watch_job(const char *what, const char *config, const struct page_options *page)
{
	struct watch watch = { .what = what, .config = config, .page = *page };
	char last[SUMMARY_ID_TEXT];
	struct error err;
	bool more = false;
	int result = -1;

	watch.own_width = page->width != page_options_for(stdout).width;
	if (!screen_possible())
		error_set(&err, "standard output is not a terminal: stint report prints the page once");
	else if (find_conf(&watch.conf, config, WHO, &err) == 0)
		result = strcmp(what, SLURM_ROWS_LAST) == 0 ? slurm_rows_last(last, &err) : 0;
	if (result == 0 && strcmp(what, SLURM_ROWS_LAST) == 0)
		watch.what = last;
	if (result == 0)
		result = begin(&watch, &more, &err);
	if (result == 0 && more)
		result = watch_it(&watch, &err);
	else if (result == 0)
		fputs(watch.shown, stdout);
	if (result < 0)
		complain(&err);
	slurm_answer_free(watch.answer);
	free(watch.shown);
	return result < 0 || fflush(stdout) ? -1 : 0;
}

/* ---- the command line ---- */

struct arguments {
	const char *what, *config;
	struct page_options page;
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		state->child_inputs[0] = &arguments->page;
		state->child_inputs[1] = &arguments->config;
		return 0;
	case 'a':
		arguments->page.all = true;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->what)
			usage_fail(state, "only one JOB");
		arguments->what = value;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->what)
			usage_fail(state, "which JOB?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_watch(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "all", 'a', NULL, 0, "Show as much of the page as fits on the terminal", 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &terminal_argp }, { .argp = &config_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "JOB",
		.doc = "Show the page of a job that runs or waits to start, and draw it again each second until the job ends.\n"
		       "\v"
		       "JOB is a number, ARRAY_TASK, or last. Ctrl-C or q ends it earlier, and prints the last page.",
	};
	struct arguments arguments = { .page = page_options_for(stdout) };

	usage_parse(&argp, argc, argv, 0, &arguments);
	return watch_job(arguments.what, arguments.config, &arguments.page) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
