/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/cmd/report_options.h"

#include <argp.h>
#include <string.h>

#include "common/conf.h"
#include "common/memory/array.h"
#include "common/usage.h"
#include "reports/cmd/shared_options.h"
#include "reports/terminal/output.h"

enum {
	KEY_AGAIN = 256,
	KEY_WATCH,
	KEY_CSV,
	KEY_ATTEMPT,
	KEY_HTML,
	KEY_SEFF,
	KEY_BY,
	KEY_SITE,
	KEY_CLUSTER,
	KEY_LINES,
	KEY_SCHEMA
};

static void add_what(struct report_arguments *arguments, const char *what, const struct argp_state *state)
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

static void check_arguments(const struct report_arguments *arguments, const struct argp_state *state)
{
	if (arguments->csv && arguments->json)
		usage_fail(state, "--csv and --json exclude each other");
	if (arguments->seff && (arguments->table || arguments->json))
		usage_fail(state, "--seff and --%s exclude each other", arguments->json ? "json" : "table");
	if (arguments->watch &&
	    (arguments->table || arguments->seff || arguments->html || arguments->json || arguments->again))
		usage_fail(state, "--watch shows the page, and nothing else");
	if (arguments->watch && arguments->count != 1)
		usage_fail(state, "--watch: which JOB?");
	if (arguments->again && (arguments->table || arguments->seff || arguments->html))
		usage_fail(state, "--again excludes --html, --seff and --table");
	if (arguments->sorted && (!arguments->table || arguments->by_rule))
		usage_fail(state, "--sort needs --table, and excludes --by");
	if (arguments->html &&
	    (arguments->json || (arguments->table && !arguments->by_rule) || arguments->csv || arguments->seff))
		usage_fail(state, "--html is a page for a browser: it excludes --json, --seff and --table");
	if (arguments->schema && state->argc > 2)
		usage_fail(state, "--schema describes all reports: it takes no JOB, and no other option");
	output_check_behind(&output_page, arguments->behind_html, state);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct report_arguments *arguments = state->input;

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

void report_options_parse(int argc, char *argv[], struct report_arguments *arguments)
{
	static const struct argp_option options[] = {
		{ "all", 'a', NULL, 0, "Show all of the page, and not only one screen of it", 0 },
		{ "again", KEY_AGAIN, NULL, 0,
		  "Print only the sbatch line that resubmits an array's tasks that did not complete", 0 },
		{ "attempt", KEY_ATTEMPT, "N", 0, "Show attempt N of a requeued job, and not the latest", 0 },
		{ "last-lines", KEY_LINES, "N", 0,
		  "Show the last N lines of a failed job's own output; 0: none (default: 5, or what stint.conf says)",
		  0 },
		{ "json", 'j', NULL, 0, "Print the report itself, as JSON; with --table, the table as a JSON array",
		  0 },
		{ "schema", KEY_SCHEMA, NULL, 0,
		  "Print the JSON Schema of reports: each field, its type and what it means", 0 },
		{ "seff", KEY_SEFF, NULL, 0, "Print only seff's lines, for scripts that read these", 0 },
		{ "table", 't', NULL, 0, "Print a table with a line for each job", 0 },
		{ "csv", KEY_CSV, NULL, 0, "Print the table as CSV, with more columns", 0 },
		{ "sort", 's', "FIELD", 0, "Sort the table by FIELD, or by -FIELD with the largest first", 0 },
		{ "html", KEY_HTML, "FILE", OPTION_ARG_OPTIONAL,
		  "Write a page for browsers. One job: stint-JOB.html. Several jobs: stint-ARRAY.html or stint-jobs.html "
		  "about all of them, and for up to 100 jobs also a page for each. With FILE, write only that file; - is "
		  "standard output",
		  0 },
		{ "by", KEY_BY, "rule", 0,
		  "Print the table of a workflow: a line for each rule of Snakemake or process of Nextflow", 0 },
		{ "site", KEY_SITE, "FILE", 0,
		  "If a job's report is gone, look in the store that FILE names, instead of the one that "
		  "site.conf names",
		  0 },
		{ "cluster", KEY_CLUSTER, "NAME", 0,
		  "Show the job of this cluster from the store, because other clusters may use the same job number",
		  0 },
		{ "watch", KEY_WATCH, NULL, 0, "Show the page of a running job, drawn again each second until it ends",
		  0 },
		{ 0 },
	};
	static const struct argp_child children[] = {
		{ .argp = &terminal_argp }, { .argp = &config_argp }, { .argp = &verbose_argp }, { 0 }
	};
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

	usage_parse(&argp, argc, argv, 0, arguments);
}

struct stored_question report_options_question(const struct report_arguments *arguments, const char *what)
{
	return (struct stored_question){ .who = REPORT_WHO,
					 .what = what,
					 .attempt = arguments->attempt,
					 .cluster = arguments->cluster,
					 .site = arguments->site,
					 .config = arguments->config };
}
