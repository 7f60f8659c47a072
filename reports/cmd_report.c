/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint report: the page, or the JSON, of jobs; of an array and of many jobs a table. */

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/conf.h"
#include "collector/common/escape.h"
#include "collector/common/usage.h"
#include "reports/cmd.h"
#include "reports/field.h"
#include "reports/find.h"
#include "reports/group.h"
#include "reports/html/html.h"
#include "reports/page.h"
#include "reports/seff.h"
#include "reports/table.h"
#include "reports/terminal.h"
#include "reports/workflow_table.h"

#define WHO "stint report"

enum { KEY_CSV = 256, KEY_ATTEMPT, KEY_HTML, KEY_SEFF, KEY_BY };

struct arguments {
	const char **what; /* jobs, files, directories, globs */
	size_t count;
	const char *config;
	const char *html; /* the page's file; NULL: none is asked for */
	bool json, table, csv, sorted, seff, by_rule;
	struct table_sort sort;
	int64_t attempt; /* 0: the latest */
	struct page_options page;
	size_t printed; /* pages so far */
};

static void complain(const struct error *err)
{
	find_complain(WHO, err->text);
}

/* ---- one job after the other ---- */

/* As it is, but for what would steer a terminal: a report may have been made by anybody. */
static void print_json(const char *text)
{
	cleanup_free char *safe = escape_json(text, NULL);

	if (safe)
		fputs(safe, stdout);
}

/* The attempts before, a line each, above the latest's page. */
static void print_attempts(const struct arguments *arguments, const struct row *row)
{
	struct rows others = { .who = WHO };

	if (arguments->attempt || (row->attempt < 2 && row->earlier == 0))
		return;
	find_attempts(&others, row);
	group_print_attempts(others.list, others.count, &arguments->page, stdout);
	rows_free(&others);
}

static void print_page(struct arguments *arguments, struct json_object *report, const struct row *row)
{
	if (field_true(report, "so_far"))
		fputs("Runs still: so far\n\n", stdout);
	else if (row->report)
		fputs("Made now of what its nodes left: no report has all of it\n\n", stdout);
	print_attempts(arguments, row);
	page_print(report, &arguments->page, stdout);
}

static int print_row(struct arguments *arguments, const struct row *row)
{
	cleanup_free char *text = NULL;
	struct json_object *report;
	struct error err;

	report = arguments->json ? find_whole(row, &text, &err) : find_brief(row, &err);
	if (!report) {
		complain(&err);
		return -1;
	}
	if (!arguments->json && arguments->printed++)
		putchar('\n');
	if (arguments->json)
		print_json(text);
	else if (arguments->seff)
		seff_print(report, WHO, stdout);
	else
		print_page(arguments, report, row);
	json_object_put(report);
	return 0;
}

/* Whether @what, of which @rows were found, is an array or a heterogeneous job, and not one of its parts. */
static bool is_group(const char *what, const struct rows *rows)
{
	struct locate_job job;

	return rows->count > 0 && locate_parse_job(what, &job) && job.task < 0 && job.offset < 0 &&
	       (rows->list[0].array == job.id || rows->list[0].het == job.id);
}

static int print_what(struct arguments *arguments, const char *what)
{
	struct rows rows = { .who = WHO, .attempt = arguments->attempt };
	struct error err;
	int result = find_rows(&rows, what, arguments->config, &err);

	if (result < 0)
		complain(&err);
	if (result == 0 && !arguments->json && !arguments->seff && is_group(what, &rows)) {
		if (arguments->printed++)
			putchar('\n');
		result = group_print(rows.list, rows.count, arguments->config, &arguments->page, stdout, &err);
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

/* The same jobs by process or rule. */
static int print_by_rule(const struct arguments *arguments, struct rows *rows)
{
	struct error err;
	struct conf conf;

	if (conf_load_default(&conf, arguments->config, &err) < 0) {
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
	struct rows rows = { .who = WHO, .attempt = arguments->attempt };
	struct error err;
	int result = 0;

	for (size_t i = 0; i < arguments->count; i++) {
		if (find_rows(&rows, arguments->what[i], arguments->config, &err) < 0) {
			complain(&err);
			result = -1;
		}
	}
	if (arguments->sorted)
		table_sort(rows.list, rows.count, &arguments->sort);
	if (arguments->by_rule)
		result = print_by_rule(arguments, &rows) < 0 ? -1 : result;
	else if (arguments->json)
		table_print_json(rows.list, rows.count, stdout);
	else if (arguments->csv)
		table_print_csv(rows.list, rows.count, stdout);
	else if (rows.count > 0)
		table_print(rows.list, rows.count, &arguments->page, stdout);
	result = rows.failed ? -1 : result;
	rows_free(&rows);
	return result;
}

/* ---- a page for a browser ---- */

static int write_html(const struct arguments *arguments)
{
	struct rows rows = { .who = WHO, .attempt = arguments->attempt };
	struct json_object *report = NULL;
	cleanup_free char *text = NULL;
	struct error err;
	int result = 0;

	for (size_t i = 0; result == 0 && i < arguments->count; i++)
		result = find_rows(&rows, arguments->what[i], arguments->config, &err);
	if (result == 0 && rows.count > 1)
		result = error_set(&err, "--html makes the page of one job, and %zu were found: name one", rows.count);
	if (result == 0 && rows.count == 1) {
		report = find_whole(&rows.list[0], &text, &err);
		result = report ? html_write(report, arguments->html, &err) : -1;
	}
	if (result < 0)
		complain(&err);
	json_object_put(report);
	result = rows.failed ? -1 : result;
	rows_free(&rows);
	return result;
}

/* ---- the command line ---- */

static void add_what(struct arguments *arguments, const char *what, const struct argp_state *state)
{
	const char **more = reallocarray(arguments->what, arguments->count + 1, sizeof(*more));

	if (!more)
		usage_fail(state, "out of memory");
	arguments->what = more;
	more[arguments->count++] = what;
}

static int64_t read_attempt(const char *value, const struct argp_state *state)
{
	char *end;
	long number = strtol(value, &end, 10);

	if (*value < '0' || *value > '9' || *end || number < 1 || number > INT32_MAX)
		usage_fail(state, "--attempt: '%s' is no attempt's number: the first is 1", value);
	return number;
}

static void check(const struct arguments *arguments, const struct argp_state *state)
{
	if (arguments->csv && arguments->json)
		usage_fail(state, "--csv and --json at once");
	if (arguments->seff && (arguments->table || arguments->json))
		usage_fail(state, "--seff with --%s", arguments->json ? "json" : "table");
	if (arguments->sorted && (!arguments->table || arguments->by_rule))
		usage_fail(state, "--sort is for --table, and not for --by");
	if (arguments->html && (arguments->json || arguments->table || arguments->seff))
		usage_fail(state, "--html is the page of one job: without --json, --seff and --table");
}

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
	case 'j':
		arguments->json = true;
		return 0;
	case 't':
		arguments->table = true;
		return 0;
	case KEY_CSV:
		arguments->table = arguments->csv = true;
		return 0;
	case 's':
		if (!table_read_sort(value, &arguments->sort))
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
	case KEY_ATTEMPT:
		arguments->attempt = read_attempt(value, state);
		return 0;
	case 'c':
		arguments->config = value;
		return 0;
	case KEY_HTML:
		arguments->html = value;
		return 0;
	case ARGP_KEY_ARG:
		add_what(arguments, value, state);
		return 0;
	case ARGP_KEY_END:
		check(arguments, state);
		if (arguments->count == 0)
			add_what(arguments, ".", state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_report(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "all", 'a', NULL, 0, "All of the page, and not one screen of it", 0 },
		{ "attempt", KEY_ATTEMPT, "N", 0, "Of a job that was requeued: its attempt N, and not the latest", 0 },
		{ "json", 'j', NULL, 0, "Print the report as it is, JSON; with --table an array of its lines", 0 },
		{ "seff", KEY_SEFF, NULL, 0, "Print seff's lines alone, for scripts that read these", 0 },
		{ "table", 't', NULL, 0, "A line for each job", 0 },
		{ "csv", KEY_CSV, NULL, 0, "The table as CSV, with more columns", 0 },
		{ "sort", 's', "FIELD", 0, "Sort the table by FIELD, or by -FIELD with the largest first", 0 },
		{ "html", KEY_HTML, "FILE", 0, "Write the page of one job for a browser into FILE; - is standard output", 0 },
		{ "by", KEY_BY, "rule", 0, "The table of a workflow: a line for each rule of Snakemake or process of Nextflow", 0 },
		{ "config", 'c', "FILE", 0, "Read FILE instead of " CONF_PATH, 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &terminal_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "[JOB | FILE | DIR | GLOB]...",
		.doc = "Show what a job really did with what it was given.\n"
		       "\v"
		       "JOB is a number, ARRAY_TASK or JOB+COMPONENT; the plain number of an array or a heterogeneous "
		       "job shows a table of all its tasks or components. Its report is looked for in this directory, "
		       "then where Slurm or its accounting says that it ran. DIR, by default this one, shows all "
		       "reports in it, oldest first.",
	};
	struct arguments arguments = { .page = page_options_for(stdout) };
	int result = 0;

	usage_parse(&argp, argc, argv, 0, &arguments);
	if (arguments.html)
		result = write_html(&arguments);
	else if (arguments.table)
		result = print_table(&arguments);
	for (size_t i = 0; !arguments.html && !arguments.table && i < arguments.count; i++)
		result = print_what(&arguments, arguments.what[i]) < 0 ? -1 : result;
	free(arguments.what);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, WHO ": standard output: %s\n", strerror(errno));
		result = -1;
	}
	return result < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
