/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint report: prints the page or the JSON of each job. Prints a table instead for an array, or for many jobs.
 */

#include <argp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/conf.h"
#include "common/escape.h"
#include "common/memory/array.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/seff.h"
#include "reports/cmd/shared_options.h"
#include "reports/cmd/stored.h"
#include "reports/html/html.h"
#include "reports/html/jobs_page.h"
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

#define WHO "stint report"
#define PAGES_MAX 100 /* if there are more jobs than this, --html writes no page for each job */

enum { KEY_AGAIN = 256, KEY_WATCH, KEY_CSV, KEY_ATTEMPT, KEY_HTML, KEY_SEFF, KEY_BY, KEY_SITE, KEY_CLUSTER, KEY_LINES, KEY_SCHEMA };

struct arguments {
	const char **what; /* jobs, files, directories, globs */
	size_t count;
	const char *config, *site, *cluster;
	bool html;
	const char *html_file; /* output file of the page; NULL for the default name */
	const char *behind_html; /* the argument that follows an --html without a file; NULL if none */
	bool json, table, csv, sorted, seff, by_rule, verbose, again, watch, schema;
	struct summary_table_sort sort;
	int64_t attempt; /* 0: the latest */
	struct page_options page;
	int lines; /* value of --last-lines; -1 if the option is not given */
	size_t printed; /* pages printed so far */
};

static void complain(const struct error *err)
{
	find_complain(WHO, err->text);
}

/* ---- one job after another ---- */

/* Prints @text, but escapes characters that would control a terminal, because a report may be forged. */
static void print_json(const char *text)
{
	cleanup_free char *safe = escape_json(text, NULL);

	if (safe)
		fputs(safe, stdout);
}

/* Prints a line for each earlier attempt of the job. These lines come above the page of the latest attempt. */
static void print_attempts(const struct arguments *arguments, const struct summary *row)
{
	struct rows others = { .who = WHO };

	if (arguments->attempt || (row->attempt < 2 && row->earlier == 0))
		return;
	find_attempts(&others, row);
	group_page_print_attempts(others.list, others.count, &arguments->page, stdout);
	rows_free(&others);
}

static void print_page(struct arguments *arguments, struct report *report, const struct summary *row)
{
	struct page_options page = arguments->page;

	if (row->report && !report->so_far)
		fputs("Built just now from the records of the job's nodes, because no report file has the whole job\n\n", stdout);
	print_attempts(arguments, row);
	if (row->foreign) /* do not show the job's output, because another user may have chosen the name of any file in the report */
		page.lines = 0;
	if (page.lines > 0)
		last_lines_forget_empty(report);
	page_print(report, &page, stdout);
}

static int print_row(struct arguments *arguments, const struct summary *row)
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

/*
 * Returns whether @what is the number of a whole array or of a whole heterogeneous job, and not of one task or
 * component.
 *
 * @rows: the rows that were found for @what
 */
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
static int print_again(struct arguments *arguments, const char *what)
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
static void print_directory(struct arguments *arguments, const struct rows *rows)
{
	if (arguments->printed++)
		putchar('\n');
	summary_table_print(rows->list, rows->count, &arguments->page, stdout);
	fputs("\nstint report JOB shows the page of one.\n", stdout);
}

static struct stored_question ask_store(const struct arguments *arguments, const char *what)
{
	return (struct stored_question){ .who = WHO, .what = what, .attempt = arguments->attempt, .cluster = arguments->cluster,
					 .site = arguments->site, .config = arguments->config };
}

/*
 * Prints the report of the job @what from the store. Returns 0; -1 after a message if the store does not have it.
 *
 * @unfound: why no file has the report
 */
static int print_stored(struct arguments *arguments, const char *what, const struct error *unfound)
{
	const struct stored_question question = ask_store(arguments, what);
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

/*
 * Adds the job @what from the store to @rows. Returns 0; -1 after a message if the store does not have it, or if
 * out of memory.
 *
 * @unfound: why no file has the report
 */
static int add_stored(const struct arguments *arguments, const char *what, const struct error *unfound, struct rows *rows)
{
	const struct stored_question question = ask_store(arguments, what);
	cleanup_report struct report *report = stored_find(&question, unfound);
	struct summary row;

	if (!report)
		return -1;
	stored_row(&question, report, &row);
	if (rows_add(rows, &row))
		return 0;
	summary_free(&row);
	return -1;
}

static int print_what(struct arguments *arguments, const char *what)
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
static int print_by_rule(const struct arguments *arguments, struct rows *rows)
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

static int print_table(struct arguments *arguments)
{
	struct rows rows = { .who = WHO, .attempt = arguments->attempt, .verbose = arguments->verbose };
	struct error err;
	int result = 0;

	for (size_t i = 0; i < arguments->count; i++) {
		if (find_rows(&rows, arguments->what[i], arguments->config, &err) == 0)
			continue;
		/* do not ask the store for --by=rule, because that table is made only from report files */
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

/* ---- a page for a browser ---- */

static int write_page(const struct summary *row, const char *path)
{
	struct error err;
	cleanup_report struct report *report = find_whole(row, NULL, &err);

	if (report && !row->foreign)
		last_lines_forget_empty(report);
	if (report && html_write(report, path, &err) == 0)
		return 0;
	complain(&err);
	return -1;
}

/*
 * Returns whether one of the first @count rows has the page name @name and the same job number as row number
 * @count. If so, the two jobs are on different clusters.
 */
static bool is_taken(const struct rows *rows, size_t count, const char *name)
{
	char other[NAME_MAX + 1];

	for (size_t i = 0; i < count; i++)
		if (rows->list[i].id == rows->list[count].id &&
		    strcmp(output_name(&output_page, &rows->list[i], other), name) == 0)
			return true;
	return false;
}

/* Writes a page for each job into the current directory. */
static int write_pages(const struct rows *rows)
{
	char name[NAME_MAX + 1], id[SUMMARY_ID_TEXT];
	struct error err;
	int result = 0;

	for (size_t i = 0; i < rows->count; i++) {
		output_name(&output_page, &rows->list[i], name);
		if (is_taken(rows, i, name)) {
			error_set(&err, "%s: the page of another job %s would be in the same file %s: use "
					"--html=FILE", rows->list[i].path,
				  summary_id(&rows->list[i], id), name);
			complain(&err);
			result = -1;
		} else if (write_page(&rows->list[i], name) < 0) {
			result = -1;
		} else {
			printf("Wrote %s, the page of job %s\n", name, summary_id(&rows->list[i], id));
		}
	}
	return result;
}

/* Writes the page about all jobs. @path: output file; NULL for the default name */
static int write_jobs_page(const struct arguments *arguments, const struct rows *rows, const char *path)
{
	const struct jobs_page page = { rows->list, rows->count, arguments->by_rule, arguments->config };
	char name[NAME_MAX + 1];
	struct error err;

	jobs_page_name(&page, name);
	if (jobs_page_write(&page, path ? path : name, &err) < 0) {
		complain(&err);
		return -1;
	}
	if (!path)
		printf("Wrote %s, the page of %zu jobs\n", name, rows->count);
	return 0;
}

/*
 * Writes the page of each job first, and then the page about all jobs, because that one links to pages that exist.
 */
static int write_default_pages(const struct arguments *arguments, const struct rows *rows)
{
	int result = 0;

	if (!arguments->by_rule && rows->count <= PAGES_MAX)
		result = write_pages(rows);
	if (arguments->by_rule || rows->count > 1)
		result = write_jobs_page(arguments, rows, NULL) < 0 ? -1 : result;
	return result;
}

/*
 * Writes the page of the job @what from the store. Returns 0; -1 after a message if the store does not have it, or
 * if the page could not be written.
 *
 * @unfound: why no file has the report
 */
static int write_stored(const struct arguments *arguments, const char *what, const struct error *unfound)
{
	struct rows rows = { .who = WHO };
	int result = add_stored(arguments, what, unfound, &rows);

	if (result == 0)
		result = arguments->html_file ? write_page(rows.list, arguments->html_file) : write_pages(&rows);
	rows_free(&rows);
	return result;
}

static int write_html(const struct arguments *arguments)
{
	struct rows rows = { .who = WHO, .attempt = arguments->attempt, .verbose = arguments->verbose };
	struct error err;
	/* if so, do not ask the store, because a page about many jobs is made only from report files */
	bool many = arguments->by_rule || (arguments->html_file && arguments->count > 1);
	int result = 0;

	for (size_t i = 0; i < arguments->count; i++) {
		if (find_rows(&rows, arguments->what[i], arguments->config, &err) == 0)
			continue;
		if (many)
			complain(&err);
		if (many || write_stored(arguments, arguments->what[i], &err) < 0)
			result = -1;
	}
	if (!arguments->html_file) {
		result = write_default_pages(arguments, &rows) < 0 ? -1 : result;
	} else if (rows.count > 1 || arguments->by_rule) {
		result = write_jobs_page(arguments, &rows, arguments->html_file) < 0 ? -1 : result;
	} else if (rows.count == 1 && result == 0 && !rows.failed) {
		result = write_page(&rows.list[0], arguments->html_file);
	}
	result = rows.failed ? -1 : result;
	rows_free(&rows);
	return result;
}

/* ---- the command line ---- */

static void add_what(struct arguments *arguments, const char *what, const struct argp_state *state)
{
	if (!array_room(&arguments->what, arguments->count, sizeof(*arguments->what)))
		usage_fail(state, "out of memory");
	arguments->what[arguments->count++] = what;
}

static int64_t read_attempt(const char *value, const struct argp_state *state)
{
	long number = usage_number(value, INT32_MAX);

	if (number < 1)
		usage_fail(state, "--attempt: '%s' is not the number of an attempt: the first is 1", value);
	return number;
}

static int read_lines(const char *value, const struct argp_state *state)
{
	long number = usage_number(value, CONF_LAST_LINES_MOST);

	if (number < 0)
		usage_fail(state, "--last-lines: '%s' is not a number from 0 to %d", value, CONF_LAST_LINES_MOST);
	return (int)number;
}

static bool shows_pages(const struct arguments *arguments)
{
	return !arguments->html && !arguments->table && !arguments->json && !arguments->seff && !arguments->again;
}

/*
 * Finds how many lines of a job's output to show. Takes the number from the option, or from the site's
 * configuration if the option is not given.
 */
static void find_lines(struct arguments *arguments)
{
	struct error warning, err; /* find_rows() prints both */
	struct conf conf;

	if (arguments->lines < 0 && conf_load_known(&conf, arguments->config, &warning, &err) == 0)
		arguments->lines = (int)conf.last_lines;
	arguments->page.lines = arguments->lines > 0 ? arguments->lines : 0;
}

static void check_arguments(const struct arguments *arguments, const struct argp_state *state)
{
	if (arguments->csv && arguments->json)
		usage_fail(state, "--csv and --json exclude each other");
	if (arguments->seff && (arguments->table || arguments->json))
		usage_fail(state, "--seff and --%s exclude each other", arguments->json ? "json" : "table");
	if (arguments->watch && (arguments->table || arguments->seff || arguments->html || arguments->json || arguments->again))
		usage_fail(state, "--watch shows the page, and nothing else");
	if (arguments->watch && arguments->count != 1)
		usage_fail(state, "--watch: which JOB?");
	if (arguments->again && (arguments->table || arguments->seff || arguments->html))
		usage_fail(state, "--again excludes --html, --seff and --table");
	if (arguments->sorted && (!arguments->table || arguments->by_rule))
		usage_fail(state, "--sort needs --table, and excludes --by");
	if (arguments->html && (arguments->json || (arguments->table && !arguments->by_rule) || arguments->csv || arguments->seff))
		usage_fail(state, "--html is a page for a browser: it excludes --json, --seff and --table");
	if (arguments->schema && state->argc > 2)
		usage_fail(state, "--schema describes all reports: it takes no JOB, and no other option");
	output_check_behind(&output_page, arguments->behind_html, state);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		state->child_inputs[0] = &arguments->page;
		state->child_inputs[1] = &arguments->config;
		state->child_inputs[2] = &arguments->verbose;
		return 0;
	case 'a':
		arguments->page.all = true;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case KEY_WATCH:
		arguments->watch = true;
		return 0;
	case KEY_SCHEMA:
		arguments->schema = true;
		return 0;
	case KEY_AGAIN:
		arguments->again = true;
		return 0;
	case 't':
		arguments->table = true;
		return 0;
	case KEY_CSV:
		arguments->table = arguments->csv = true;
		return 0;
	case 's':
		if (!summary_table_read_sort(value, &arguments->sort))
			usage_fail(state, "--sort: no field '%s': %s", value, table_sort_fields);
		arguments->sorted = true;
		return 0;
	case KEY_SEFF:
		arguments->seff = true;
		return 0;
	case KEY_BY:
		if (strcmp(value, "rule") != 0 && strcmp(value, "process") != 0)
			usage_fail(state, "--by: '%s' is neither rule nor process", value);
		arguments->table = arguments->by_rule = true;
		return 0;
	case KEY_LINES:
		arguments->lines = read_lines(value, state);
		return 0;
	case KEY_ATTEMPT:
		arguments->attempt = read_attempt(value, state);
		return 0;
	case KEY_SITE:
		arguments->site = value;
		return 0;
	case KEY_CLUSTER:
		arguments->cluster = value;
		return 0;
	case KEY_HTML:
		if (value && !*value)
			usage_fail(state, "--html=: which FILE?");
		arguments->html = true;
		arguments->html_file = value;
		arguments->behind_html = value ? NULL : state->argv[state->next];
		return 0;
	case ARGP_KEY_ARG:
		add_what(arguments, value, state);
		return 0;
	case ARGP_KEY_END:
		check_arguments(arguments, state);
		if (arguments->count == 0 && !arguments->schema)
			add_what(arguments, ".", state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_report(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "all", 'a', NULL, 0, "Show all of the page, and not only one screen of it", 0 },
		{ "again", KEY_AGAIN, NULL, 0, "Print only the sbatch line that resubmits an array's tasks that did not complete", 0 },
		{ "attempt", KEY_ATTEMPT, "N", 0, "Show attempt N of a requeued job, and not the latest", 0 },
		{ "last-lines", KEY_LINES, "N", 0,
		  "Show the last N lines of a failed job's own output; 0: none (default: 5, or what stint.conf says)", 0 },
		{ "json", 'j', NULL, 0, "Print the report itself, as JSON; with --table, the table as a JSON array", 0 },
		{ "schema", KEY_SCHEMA, NULL, 0, "Print the JSON Schema of reports: each field, its type and what it means", 0 },
		{ "seff", KEY_SEFF, NULL, 0, "Print only seff's lines, for scripts that read these", 0 },
		{ "table", 't', NULL, 0, "Print a table with a line for each job", 0 },
		{ "csv", KEY_CSV, NULL, 0, "Print the table as CSV, with more columns", 0 },
		{ "sort", 's', "FIELD", 0, "Sort the table by FIELD, or by -FIELD with the largest first", 0 },
		{ "html", KEY_HTML, "FILE", OPTION_ARG_OPTIONAL,
		  "Write a page for browsers. One job: stint-JOB.html. Several jobs: stint-ARRAY.html or stint-jobs.html "
		  "about all of them, and for up to 100 jobs also a page for each. With FILE, write only that file; - is "
		  "standard output",
		  0 },
		{ "by", KEY_BY, "rule", 0, "Print the table of a workflow: a line for each rule of Snakemake or process of Nextflow", 0 },
		{ "site", KEY_SITE, "FILE", 0, "If a job's report is gone, look in the store that FILE names, instead of the one that "
					       "site.conf names", 0 },
		{ "cluster", KEY_CLUSTER, "NAME", 0,
		  "Show the job of this cluster from the store, because other clusters may use the same job number", 0 },
		{ "watch", KEY_WATCH, NULL, 0, "Show the page of a running job, drawn again each second until it ends", 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &terminal_argp }, { .argp = &config_argp }, { .argp = &verbose_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "[JOB | FILE | DIR | GLOB]...",
		.doc = "Show what a job really did with what it was given.\n\vJOB is a number, ARRAY_TASK or "
		       "JOB+COMPONENT; the plain number of an array or a heterogeneous job shows a table of all its tasks "
		       "or components. stint looks for the report here, then where Slurm or its accounting says that the "
		       "job ran. For DIR (default: this directory), stint shows its report, or a table if there are several, "
		       "oldest first.",
	};
	struct arguments arguments = { .page = page_options_for(stdout), .lines = -1 };
	struct error err;
	int result = 0;

	usage_parse(&argp, argc, argv, 0, &arguments);
	if (arguments.schema)
		report_schema_print(stdout);
	if (shows_pages(&arguments)) {
		find_lines(&arguments);
		arguments.page.rows = arguments.watch ? 0 : terminal_rows(stdout);
	}
	if (arguments.html)
		result = write_html(&arguments);
	else if (arguments.table)
		result = print_table(&arguments);
	if (arguments.watch)
		result = watch_job(arguments.what[0], arguments.config, &arguments.page);
	for (size_t i = 0; !arguments.html && !arguments.table && !arguments.watch && i < arguments.count; i++)
		result = (arguments.again ? print_again : print_what)(&arguments, arguments.what[i]) < 0 ? -1 : result;
	free(arguments.what);
	if (output_flush(&err) < 0) {
		find_complain(WHO, err.text);
		result = -1;
	}
	return result < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
