/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint watch: the page of a running job, drawn again each second until the job has ended. */

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
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/screen.h"
#include "reports/json/field.h"
#include "reports/read/find.h"
#include "reports/read/find_place.h"
#include "reports/read/locate.h"
#include "reports/read/query_job.h"
#include "reports/read/slurm_rows.h"
#include "reports/text/page.h"

#define WHO "stint watch"
#define EACH_MS 1000
#define ASK_SLURM_MS 30000 /* stintd knows what is used; only Slurm knows of a new time limit, or a suspended job */
#define REPORT_WAIT_MS 60000 /* the longest wait for the report of a job that has ended */
#define CPU_S 600

struct watch {
	const char *what, *config;
	struct conf conf;
	struct page_options page;
	bool own_width; /* by --width */
	struct json_object *slurm; /* what Slurm said of the job, while it ran */
	int64_t asked_ms;
	int64_t gone_ms; /* when the job was gone, and its report not there yet; 0: it runs */
	char *shown;     /* the last page */
};

/* A job can be watched for days: the limit of a command's CPU time is for each frame, and not for all of them. */
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

/* Asks Slurm whether the job runs. Returns false, with watch->slurm unset, when it does not. */
static bool ask_slurm(struct watch *watch, struct error *err)
{
	cleanup_free char *place = NULL;
	struct rows rows = { .who = WHO };
	struct locate_job job;

	json_object_put(watch->slurm);
	watch->slurm = NULL;
	watch->asked_ms = clock_ms();
	if (!locate_parse_job(watch->what, &job))
		return false;
	find_place(&rows, watch->what, &job, &place, &watch->slurm, NULL, err);
	return watch->slurm;
}

/* Fills @rows with the report so far. Returns 0; -1 with @err set. */
static int ask_stintd(struct watch *watch, struct rows *rows, struct error *err)
{
	cleanup_json struct json_object *slurm = NULL;

	if (json_object_deep_copy(watch->slurm, &slurm, NULL) < 0)
		return error_set(err, "out of memory");
	return query_running(rows, watch->what, slurm, &watch->conf, err);
}

/*
 * Fills @rows with the job's report: so far, or the whole one where the job has ended. Returns 0; -1 with @err set.
 */
static int read_job(struct watch *watch, struct rows *rows, struct error *err)
{
	int result;

	if (watch->slurm && clock_ms() - watch->asked_ms < ASK_SLURM_MS && ask_stintd(watch, rows, err) == 0)
		return 0;
	if (ask_slurm(watch, err))
		return ask_stintd(watch, rows, err);
	result = find_rows(rows, watch->what, watch->config, err);
	if (result == 0 && rows->count != 1)
		result = error_set(err, "%s: an array or a heterogeneous job has many pages: which one, such as %s_1?",
				   watch->what, watch->what);
	return result;
}

/* ---- the screen ---- */

/* Makes the page of @row as text. Returns 0; -1 with @err set. */
static int make_page(struct watch *watch, const struct summary *row, struct error *err)
{
	cleanup_json struct json_object *report = find_brief(row, err);
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
	free(watch->shown);
	watch->shown = text;
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
	screen_draw(watch->shown, status);
}

/* From elsewhere a page that is drawn anew wants a terminal, too. */
static void complain(const struct error *err)
{
	static const char once[] = "--overlap stint report ", again[] = "--overlap --pty stint watch ";
	const char *found = strstr(err->text, once);
	struct error other;

	if (found)
		error_set(&other, "%.*s%s%s", (int)(found - err->text), err->text, again, found + strlen(once));
	find_complain(WHO, found ? other.text : err->text);
}

/* What to do after a try of which @result and @err are known. Returns false when there is no more to watch. */
static bool goes_on(struct watch *watch, const struct rows *rows, int result, struct error *err)
{
	if (result == 0 && make_page(watch, &rows->list[0], err) == 0) {
		watch->gone_ms = 0;
		draw(watch, NULL);
		return rows->list[0].so_far;
	}
	if (watch->slurm) {
		draw(watch, "no answer of stintd just now");
		return true;
	}
	if (!watch->gone_ms)
		watch->gone_ms = clock_ms();
	draw(watch, "the job has ended; waiting for its report");
	return clock_ms() - watch->gone_ms < REPORT_WAIT_MS;
}

static int watch_it(struct watch *watch, struct error *err)
{
	bool more = true;
	int result = 0;

	screen_begin();
	draw(watch, NULL);
	while (more && screen_wait(EACH_MS) != SCREEN_END) {
		struct rows rows = { .who = WHO };

		allow_frame();
		result = read_job(watch, &rows, err);
		more = goes_on(watch, &rows, result, err);
		rows_free(&rows);
	}
	screen_end();
	fputs(watch->shown, stdout);
	return more ? 0 : result;
}

/* Reads the job once: what is wrong is said before the screen is turned. */
static int begin(struct watch *watch, bool *runs, struct error *err)
{
	struct rows rows = { .who = WHO };
	int result = read_job(watch, &rows, err);

	*runs = result == 0 && rows.list[0].so_far;
	if (result == 0)
		result = make_page(watch, &rows.list[0], err);
	rows_free(&rows);
	return result;
}

int watch_job(const char *what, const char *config, const struct page_options *page)
{
	struct watch watch = { .what = what, .config = config, .page = *page };
	char last[SUMMARY_ID_TEXT];
	struct error err;
	bool runs = false;
	int result = -1;

	watch.own_width = page->width != page_options_for(stdout).width;
	if (!screen_possible())
		error_set(&err, "standard output is no terminal to draw on: stint report prints the page once");
	else if (find_conf(&watch.conf, config, WHO, &err) == 0)
		result = strcmp(what, SLURM_ROWS_LAST) == 0 ? slurm_rows_last(last, &err) : 0;
	if (result == 0 && strcmp(what, SLURM_ROWS_LAST) == 0)
		watch.what = last;
	if (result == 0)
		result = begin(&watch, &runs, &err);
	if (result == 0 && runs)
		result = watch_it(&watch, &err);
	else if (result == 0)
		fputs(watch.shown, stdout);
	if (result < 0)
		complain(&err);
	json_object_put(watch.slurm);
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
		return 0;
	case 'a':
		arguments->page.all = true;
		return 0;
	case 'c':
		arguments->config = value;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->what)
			usage_fail(state, "one JOB only");
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
		{ "all", 'a', NULL, 0, "Show all of the page, as far as the terminal has lines", 0 },
		{ "config", 'c', "FILE", 0, "Read FILE instead of " CONF_PATH, 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &terminal_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "JOB",
		.doc = "Show the page of a running job, drawn again each second until it ends.\n"
		       "\v"
		       "JOB is a number, ARRAY_TASK, or last. Ctrl-C or q ends it before; the last page is then printed.",
	};
	struct arguments arguments = { .page = page_options_for(stdout) };

	usage_parse(&argp, argc, argv, 0, &arguments);
	return watch_job(arguments.what, arguments.config, &arguments.page) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
