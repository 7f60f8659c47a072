/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint report: prints the page or the JSON of each job, or a table of many jobs. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/conf.h"
#include "common/escape.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/report_options.h"
#include "reports/cmd/report_pages.h"
#include "reports/cmd/seff.h"
#include "reports/cmd/stored.h"
#include "reports/model/report_schema.h"
#include "reports/model/report_write.h"
#include "reports/read/find.h"
#include "reports/read/last_lines.h"
#include "reports/read/locate.h"
#include "reports/terminal/output.h"
#include "reports/terminal/terminal.h"
#include "reports/text/group_page.h"
#include "reports/text/page.h"
#include "reports/text/summary_table.h"
#include "reports/text/workflow_table.h"
#include "reports/wording/group_again.h"

#define WHO REPORT_WHO

static void complain(const struct error *err)
{
	find_complain(WHO, err->text);
}

/* ---- one job after another ---- */

/* A user can forge a report, so characters that control a terminal are escaped. */
static void print_json(const char *text)
{
	cleanup_free char *safe = escape_json(text, NULL);

	if (safe)
		fputs(safe, stdout);
}

/* Prints a line for each earlier attempt of the job. These lines come above the page of the latest attempt. */
static void print_attempts(const struct report_arguments *arguments, const struct summary *row)
{
	struct rows others = { .who = WHO };

	if (arguments->attempt || (row->attempt < 2 && row->earlier == 0))
		return;
	find_attempts(&others, row);
	group_page_print_attempts(others.list, others.count, &arguments->page, stdout);
	rows_free(&others);
}

static void print_page(struct report_arguments *arguments, struct report *report, const struct summary *row)
{
	struct page_options page = arguments->page;

	if (row->report && !report->so_far)
		fputs("Built just now from the records of the job's nodes, because no report file has the whole job\n\n", stdout);
	print_attempts(arguments, row);
	if (row->foreign) /* another user wrote the report, and may have put any path there: do not open the job's output */
		page.lines = 0;
	if (page.lines > 0)
		last_lines_forget_empty(report);
	page_print(report, &page, stdout);
}

static int print_row(struct report_arguments *arguments, const struct summary *row)
{
	cleanup_free char *text = NULL;
	cleanup_report struct report *report = NULL;
	struct error err;

	report = arguments->json ? find_whole(row, &text, &err) : find_parts_of(row, REPORT_PARTS_BRIEF, &err);
	if (!report) {
		complain(&err);
		return -1;
	}
	if (!arguments->json && arguments->printed++)
		putchar('\n');
	if (row->foreign && (arguments->json || arguments->seff))
		find_say_unproved(WHO, row);
	if (arguments->json)
		print_json(text);
	else if (arguments->seff)
		seff_print(report, WHO, stdout);
	else
		print_page(arguments, report, row);
	return 0;
}

static bool is_array(const struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].array < 0 || rows->list[i].array != rows->list[0].array)
			return false;
	return rows->count > 0;
}

static bool is_group(const char *what, const struct rows *rows)
{
	struct locate_job job;

	if (!locate_parse_job(what, &job) || job.task >= 0 || job.offset >= 0)
		return false;
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].array == job.id || rows->list[i].het == job.id)
			return true;
	return false;
}

/* ---- resubmission ---- */

static void print_again_json(const struct summary *row, const char *tasks)
{
	struct json_object *object = json_object_new_object();
	cleanup_free char *line = NULL;

	json_object_object_add(object, "array_job_id", json_object_new_int64(row->array));
	json_object_object_add(object, "tasks", tasks ? json_object_new_string(tasks) : NULL);
	if (asprintf(&line, "sbatch --array=%s", tasks ? tasks : "") < 0)
		line = NULL;
	json_object_object_add(object, "line", tasks && line ? json_object_new_string(line) : NULL);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

/*
 * Prints the command that submits the failed tasks of the array @what again. Prints nothing if no task failed.
 */
static int print_again(struct report_arguments *arguments, const char *what)
{
	struct rows rows = { .who = WHO, .verbose = arguments->verbose };
	cleanup_free char *tasks = NULL;
	struct error err;
	int result = find_rows(&rows, what, arguments->config, &err);

	if (result == 0 && !is_array(&rows))
		result = error_set(&err, "%s: not an array: --again needs the number of one", what);
	if (result < 0) {
		complain(&err);
	} else {
		tasks = group_again(rows.list, rows.count);
		if (arguments->json)
			print_again_json(rows.list, tasks);
		else if (tasks)
			printf("sbatch --array=%s\n", tasks);
	}
	result = rows.failed ? -1 : result;
	rows_free(&rows);
	return result;
}

/* ---- pages ---- */

static bool is_directory(const char *what)
{
	struct locate_job job;
	struct stat st;

	return !locate_parse_job(what, &job) && stat(what, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Prints the jobs of a directory as a table, because their pages would fill many screens. */
static void print_directory(struct report_arguments *arguments, const struct rows *rows)
{
	if (arguments->printed++)
		putchar('\n');
	summary_table_print(rows->list, rows->count, &arguments->page, stdout);
	fputs("\nstint report JOB shows the page of one.\n", stdout);
}

/*
 * Prints the report of the job @what from the store.
 *
 * @unfound: why no file has the report
 *
 * Returns 0; -1 after a message.
 */
static int print_stored(struct report_arguments *arguments, const char *what, const struct error *unfound)
{
	const struct stored_question question = report_options_question(arguments, what);
	cleanup_report struct report *report = stored_find(&question, unfound);
	cleanup_free char *text = NULL;
	size_t len;

	if (!report)
		return -1;
	if (!arguments->json && arguments->printed++)
		putchar('\n');
	if (arguments->json && (text = report_write(report, &len)))
		print_json(text);
	else if (arguments->seff)
		seff_print(report, WHO, stdout);
	else if (!arguments->json)
		page_print(report, &arguments->page, stdout);
	return 0;
}

static int print_what(struct report_arguments *arguments, const char *what)
{
	bool pages = !arguments->json && !arguments->seff;
	struct rows rows = { .who = WHO, .attempt = arguments->attempt, .verbose = arguments->verbose, .unfinished = pages && !arguments->attempt };
	struct error err;
	int result = 0;

	if (find_rows(&rows, what, arguments->config, &err) < 0) {
		rows_free(&rows);
		return print_stored(arguments, what, &err);
	}
	if (pages && rows.count > 1 && is_directory(what)) {
		print_directory(arguments, &rows);
	} else if (pages && is_group(what, &rows)) {
		if (arguments->printed++)
			putchar('\n');
		result = group_page_print(rows.list, rows.count, arguments->config, &arguments->page, stdout, &err);
		if (result < 0)
			complain(&err);
	} else {
		for (size_t i = 0; i < rows.count; i++)
			result = print_row(arguments, &rows.list[i]) < 0 ? -1 : result;
	}
	result = rows.failed ? -1 : result;
	rows_free(&rows);
	return result;
}

/* ---- all in one table ---- */

/* Prints a table of workflows, which has a row for each process or rule. */
static int print_by_rule(const struct report_arguments *arguments, struct rows *rows)
{
	struct error warning, err; /* find_rows() has printed the warning */
	struct conf conf;

	if (conf_load_known(&conf, arguments->config, &warning, &err) < 0) {
		complain(&err);
		return -1;
	}
	if (arguments->json)
		workflow_table_print_json(rows->list, rows->count, &conf, stdout);
	else if (arguments->csv)
		workflow_table_print_csv(rows->list, rows->count, &conf, stdout);
	else
		workflow_table_print(rows->list, rows->count, &conf, &arguments->page, stdout);
	return 0;
}

static int add_stored(const struct report_arguments *arguments, const char *what, const struct error *unfound, struct rows *rows)
{
	const struct stored_question question = report_options_question(arguments, what);

	return stored_add(&question, unfound, rows);
}

static int print_table(struct report_arguments *arguments)
{
	struct rows rows = { .who = WHO, .attempt = arguments->attempt, .verbose = arguments->verbose };
	struct error err;
	int result = 0;

	for (size_t i = 0; i < arguments->count; i++) {
		if (find_rows(&rows, arguments->what[i], arguments->config, &err) == 0)
			continue;
		/* --by=rule reads only report files */
		if (arguments->by_rule)
			complain(&err);
		if (arguments->by_rule || add_stored(arguments, arguments->what[i], &err, &rows) < 0)
			result = -1;
	}
	if (arguments->sorted)
		summary_table_sort(rows.list, rows.count, &arguments->sort);
	if (arguments->by_rule)
		result = print_by_rule(arguments, &rows) < 0 ? -1 : result;
	else if (arguments->json)
		summary_table_print_json(rows.list, rows.count, stdout);
	else if (arguments->csv)
		summary_table_print_csv(rows.list, rows.count, stdout);
	else if (rows.count > 0)
		summary_table_print(rows.list, rows.count, &arguments->page, stdout);
	result = rows.failed ? -1 : result;
	rows_free(&rows);
	return result;
}

/* ---- the command line ---- */

static bool shows_pages(const struct report_arguments *arguments)
{
	return !arguments->html && !arguments->table && !arguments->json && !arguments->seff && !arguments->again;
}

/*
 * Finds how many lines of a job's output to show. Takes the number from the option, or from the site's
 * configuration if the option is not given.
 */
static void find_lines(struct report_arguments *arguments)
{
	struct error warning, err; /* find_rows() prints both */
	struct conf conf;

	if (arguments->lines < 0 && conf_load_known(&conf, arguments->config, &warning, &err) == 0)
		arguments->lines = (int)conf.last_lines;
	arguments->page.lines = arguments->lines > 0 ? arguments->lines : 0;
}

int cmd_report(int argc, char *argv[])
{
	struct report_arguments arguments = { .page = page_options_for(stdout), .lines = -1 };
	struct error err;
	int result = 0;

	report_options_parse(argc, argv, &arguments);
	if (arguments.schema)
		report_schema_print(stdout);
	if (shows_pages(&arguments)) {
		find_lines(&arguments);
		arguments.page.rows = arguments.watch ? 0 : terminal_rows(stdout);
	}
	if (arguments.html)
		result = report_pages_write(&arguments);
	else if (arguments.table)
		result = print_table(&arguments);
	if (arguments.watch)
		result = watch_job(arguments.what[0], arguments.config, &arguments.page);
	for (size_t i = 0; !arguments.html && !arguments.table && !arguments.watch && i < arguments.count; i++)
		result = (arguments.again ? print_again : print_what)(&arguments, arguments.what[i]) < 0 ? -1 : result;
	free(arguments.what);
	/* --html=- has told of its own failure */
	if (!(result < 0 && arguments.html) && output_flush(&err) < 0) {
		find_complain(WHO, err.text);
		result = -1;
	}
	return result < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
