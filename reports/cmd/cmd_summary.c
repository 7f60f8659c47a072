/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint summary: shows what many jobs used and wasted, and why. */

#include <argp.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/conf.h"
#include "common/memory/array.h"
#include "common/pattern.h"
#include "common/time_text.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/cmd_summary_mine.h"
#include "reports/cmd/shared_options.h"
#include "reports/cmd/when.h"
#include "reports/ingest/site_conf.h"
#include "reports/read/find.h"
#include "reports/read/locate.h"
#include "reports/site/jobs_summary.h"
#include "reports/terminal/output.h"

#define WHO "stint summary"
#define TOP_DEFAULT 20
#define MINE_US (30 * 86400 * US_PER_S)
#define HTML_DEFAULT "stint-summary.html"

int (*summary_store)(struct jobs_summary *summary, struct error *err);

enum { KEY_SINCE = 256, KEY_UNTIL, KEY_LAST, KEY_BY, KEY_WHERE, KEY_TOP, KEY_CSV, KEY_HTML, KEY_MINE, KEY_SITE };

struct arguments {
	const char **what; /* directories and files */
	size_t count;
	const char *config, *site;
	bool json, csv, last, mine;
	int64_t now_us;
	const char *html; /* output file of the page; may be NULL */
	const char *behind_html; /* if --html has no FILE: the next argument; may be NULL */
	struct page_options page;
	struct jobs_summary summary;
};

/* ---- values of options ---- */

static void print_names(char *text, size_t size, const char *const *names, size_t count)
{
	size_t used = 0;

	for (size_t i = 0; i < count && used < size; i++)
		used += snprintf(text + used, size - used, "%s%s", i ? ", " : "", names[i]);
}

static enum job_key read_key(const char *option, const char *name, const struct argp_state *state)
{
	enum job_key key = job_key_find(name);
	char names[512];

	if (key != JOB_KEY_COUNT)
		return key;
	print_names(names, sizeof(names), job_key_names, JOB_KEY_COUNT);
	usage_fail(state, "%s: no '%.64s': %s", option, name, names);
}

/* Adds the keys of one --by option: --by=user,week is --by=user --by=week. */
static void add_by(struct arguments *arguments, char *value, const struct argp_state *state)
{
	enum job_key *by = arguments->summary.groups.by;
	char *rest = value, *name;

	while ((name = strsep(&rest, ","))) {
		enum job_key key = read_key("--by", name, state);
		size_t place = 0;

		for (; place < JOB_KEYS_MAX && by[place] != JOB_KEY_COUNT; place++)
			if (by[place] == key)
				usage_fail(state, "--by: %s twice", job_key_names[key]);
		if (place == JOB_KEYS_MAX)
			usage_fail(state, "--by: three at most");
		by[place] = key;
	}
}

static void add_where(struct arguments *arguments, char *value, const struct argp_state *state)
{
	struct jobs_summary *summary = &arguments->summary;
	char *equals = strchr(value, '='), why[JOB_VALUES_TEXT];
	struct job_filter *filter;

	if (!equals)
		usage_fail(state, "--where: '%.64s' is not KEY=VALUE", value);
	if (summary->filter_count == JOB_FILTERS_MAX)
		usage_fail(state, "--where: %d at most", JOB_FILTERS_MAX);
	*equals = '\0';
	filter = &summary->filters[summary->filter_count++];
	filter->key = read_key("--where", value, state);
	filter->value = equals + 1;
	if (filter->key == JOB_KEY_FINDING)
		filter->value = rules_finding_code(equals + 1);
	for (char *c = equals + 1; filter->key == JOB_KEY_STATE && *c; c++) /* Slurm writes states in upper case */
		*c = (char)toupper((unsigned char)*c);
	if (!job_key_allows(filter->key, filter->value, why))
		usage_fail(state, "--where: '%.64s' is not a valid %s: %s", equals + 1, value, why);
}

static void read_sort(struct arguments *arguments, const char *value, const struct argp_state *state)
{
	struct jobs_summary *summary = &arguments->summary;
	char names[2048];

	summary->ascending = *value != '-';
	summary->sort = job_figure_find(*value == '-' ? value + 1 : value);
	if (summary->sort != JOB_FIGURE_COUNT)
		return;
	print_names(names, sizeof(names), job_figure_names, JOB_FIGURE_COUNT);
	usage_fail(state, "--sort: no field '%.64s': %s", value, names);
}

static size_t read_top(const char *value, const struct argp_state *state)
{
	long number = usage_number(value, 1000000);

	if (number < 0)
		usage_fail(state, "--top: '%s' is not a number of lines; 0 shows all", value);
	return number;
}

static bool add(struct arguments *arguments, const char *what)
{
	if (!array_room(&arguments->what, arguments->count, sizeof(*arguments->what)))
		return false;
	arguments->what[arguments->count++] = what;
	return true;
}

static void add_what(struct arguments *arguments, const char *what, const struct argp_state *state)
{
	if (!add(arguments, what))
		usage_fail(state, "out of memory");
}

/* The previous period is as long as the period, and ends where the period begins. */
static void finish_period(struct arguments *arguments, const struct argp_state *state)
{
	struct job_period *period = &arguments->summary.period, *previous = &arguments->summary.previous;
	int64_t now_us = arguments->now_us, until_us;

	if (arguments->last && period->since_us < 0) {
		until_us = period->until_us ? period->until_us : now_us;
		period->since_us += until_us;
	}
	if (period->since_us && period->until_us && period->until_us <= period->since_us)
		usage_fail(state, "--until is not after --since");
	if (!period->since_us)
		return;
	until_us = period->until_us ? period->until_us : now_us;
	if (until_us <= period->since_us)
		usage_fail(state, "--since is in the future");
	previous->until_us = period->since_us;
	previous->since_us = period->since_us - (until_us - period->since_us);
}

static void finish(struct arguments *arguments, const struct argp_state *state)
{
	struct jobs_summary *summary = &arguments->summary;

	if (arguments->csv && arguments->json)
		usage_fail(state, "--csv and --json exclude each other");
	if (arguments->html && (arguments->csv || arguments->json))
		usage_fail(state, "--html and --%s exclude each other", arguments->csv ? "csv" : "json");
	if (arguments->site && (arguments->mine || arguments->count))
		usage_fail(state, "--site excludes %s", arguments->mine ? "--mine" : "a DIR or FILE");
	output_check_behind(&output_page, arguments->behind_html, state);
	if (arguments->html)
		jobs_summary_want_views(summary);
	summary->all_measures = arguments->json;
	summary->only_groups = arguments->csv;
	if (arguments->mine && arguments->count)
		usage_fail(state, "--mine finds your jobs by itself: leave out '%.64s'", arguments->what[0]);
	if (arguments->mine && !summary->period.since_us) {
		arguments->last = true;
		summary->period.since_us = -MINE_US;
	}
	finish_period(arguments, state);
	if (summary->groups.by[0] == JOB_KEY_COUNT)
		summary->groups.by[0] = JOB_KEY_USER;
	memcpy(summary->before.by, summary->groups.by, sizeof(summary->before.by));
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	struct jobs_summary *summary = &arguments->summary;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		state->child_inputs[0] = &arguments->page;
		state->child_inputs[1] = &arguments->config;
		return 0;
	case KEY_SINCE:
		if (arguments->last)
			usage_fail(state, "--since and --last exclude each other");
		summary->period.since_us = when_option("--since", value, arguments->now_us, state);
		return 0;
	case KEY_UNTIL:
		summary->period.until_us = when_option("--until", value, arguments->now_us, state);
		return 0;
	case KEY_LAST:
		if (summary->period.since_us > 0)
			usage_fail(state, "--since and --last exclude each other");
		arguments->last = true;
		summary->period.since_us = -when_span_option("--last", value, state);
		return 0;
	case KEY_BY:
		add_by(arguments, value, state);
		return 0;
	case KEY_WHERE:
		add_where(arguments, value, state);
		return 0;
	case KEY_TOP:
		summary->top = read_top(value, state);
		return 0;
	case 's':
		read_sort(arguments, value, state);
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case KEY_CSV:
		arguments->csv = true;
		return 0;
	case KEY_HTML:
		if (value && !*value)
			usage_fail(state, "--html=: which FILE?");
		arguments->html = value ? value : HTML_DEFAULT;
		arguments->behind_html = value ? NULL : state->argv[state->next];
		return 0;
	case KEY_MINE:
		arguments->mine = true;
		return 0;
	case KEY_SITE:
		arguments->site = value;
		return 0;
	case ARGP_KEY_ARG:
		add_what(arguments, value, state);
		return 0;
	case ARGP_KEY_END:
		finish(arguments, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- reading ---- */

static int read_directory(struct jobs_summary *summary, const char *directory, const struct conf *conf,
			  struct error *err)
{
	char **paths = locate_reports(directory, conf->output, NULL, err);
	int result;

	if (paths && !paths[0] && strcmp(conf->output, PATTERN_DEFAULT) != 0) {
		locate_free(paths);
		paths = locate_reports(directory, PATTERN_DEFAULT, NULL, err);
	}
	if (!paths)
		return -1;
	if (paths[0])
		result = jobs_summary_read(summary, paths, isatty(STDERR_FILENO), err);
	else
		result = find_none(directory, conf->output, err);
	locate_free(paths);
	return result;
}

static int read_what(struct jobs_summary *summary, const char *what, const struct conf *conf, struct error *err)
{
	char *const paths[] = { (char *)(uintptr_t)what, NULL };
	struct stat st;

	if (stat(what, &st) < 0)
		return error_errno(err, "%s", what);
	return S_ISDIR(st.st_mode) ? read_directory(summary, what, conf, err)
				   : jobs_summary_read(summary, paths, false, err);
}

/* Works only in stint-site. */
static int read_store(struct arguments *arguments)
{
	struct error err;

	if (summary_store(&arguments->summary, &err) == 0)
		return 0;
	find_complain(WHO, err.text);
	return -1;
}

static int read_all(struct arguments *arguments)
{
	struct conf conf;
	struct error err;
	int result;

	if (summary_store && arguments->count == 0 && !arguments->mine)
		return read_store(arguments);
	if (arguments->count == 0 && !arguments->mine && !add(arguments, "."))
		return -1;
	result = find_conf(&conf, arguments->config, WHO, &err);

	if (result == 0 && arguments->mine)
		result = summary_mine(&arguments->summary, &conf, arguments->now_us, &err);
	if (result < 0)
		find_complain(WHO, err.text);
	for (size_t i = 0; result == 0 && i < arguments->count; i++)
		if (read_what(&arguments->summary, arguments->what[i], &conf, &err) < 0) {
			find_complain(WHO, err.text);
			arguments->summary.damaged++;
		}
	return result;
}

static int write_page(struct arguments *arguments)
{
	struct error err;

	if (jobs_summary_write_html(&arguments->summary, arguments->html, &err) < 0) {
		find_complain(WHO, err.text);
		return -1;
	}
	if (strcmp(arguments->html, "-") != 0)
		printf("Wrote %s\n", arguments->html);
	return 0;
}

static int print(struct arguments *arguments)
{
	if (arguments->html)
		return write_page(arguments);
	if (arguments->json)
		jobs_summary_print_json(&arguments->summary, stdout);
	else if (arguments->csv)
		jobs_summary_print_csv(&arguments->summary, stdout);
	else
		jobs_summary_print(&arguments->summary, &arguments->page, stdout);
	return 0;
}

/* Parsing changes the options' values, so parse a copy. */
static char **copy_arguments(int argc, char *argv[])
{
	char **copy = calloc((size_t)argc + 1, sizeof(char *));

	for (int i = 0; copy && i < argc; i++)
		copy[i] = strdup(argv[i]);
	return copy;
}

static void free_arguments(char **copy)
{
	for (char **at = copy; copy && *at; at++)
		free(*at);
	free(copy);
}

int cmd_summary(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "by", KEY_BY, "KEY[,KEY...]", 0,
		  "Group by user (the default), account, partition, qos, cluster, tool, rule, node, verdict, finding, job-name, state, size, gpu-model, day, week or month; three of them at most", 0 },
		{ "since", KEY_SINCE, "TIME", 0, "Only jobs that ended at TIME or later, " WHEN_FORMS, 0 },
		{ "until", KEY_UNTIL, "TIME", 0, "Only jobs that ended before TIME", 0 },
		{ "last", KEY_LAST, "TIME", 0, "Only jobs that ended within this time: 12h, 30d, 4w", 0 },
		{ "where", KEY_WHERE, "KEY=VALUE", 0, "Only jobs with this VALUE. KEY is a key of --by, such as user or account. If the option is repeated, a job must match all", 0 },
		{ "top", KEY_TOP, "N", 0, "Show the first N groups, and join the others into one. Of days, weeks or months, show the latest N. 0 shows all. The default on a terminal is 20", 0 },
		{ "sort", 's', "FIELD", 0, "Sort the groups by FIELD of --csv, or by -FIELD with the largest first", 0 },
		{ "mine", KEY_MINE, NULL, 0,
		  "Your own jobs of the last 30 days, or of the time that --since, --until or --last gives, wherever their reports are", 0 },
		{ "json", 'j', NULL, 0, "Print the summary as JSON", 0 },
		{ "csv", KEY_CSV, NULL, 0, "Print the groups as CSV, with more columns", 0 },
		{ "html", KEY_HTML, "FILE", OPTION_ARG_OPTIONAL,
		  "Write a page for browsers to FILE, by default " HTML_DEFAULT "; - is standard output", 0 },
		{ "site", KEY_SITE, "FILE", 0, "Show the jobs of the store that FILE names, and not of the one that " SITE_CONF_PATH " names", 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &terminal_argp }, { .argp = &config_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "[DIR | FILE]...\n--mine",
		.doc = "Say what many jobs used and wasted, and why.\n\vDIR is a directory of reports, and FILE a report. "
		       "Without either, stint reads the store if this host has one, otherwise the reports in this "
		       "directory. --mine asks Slurm's accounting for your jobs and reads the reports where they ran. With "
		       "--since or --last, stint also compares these jobs with those of the previous period, which is "
		       "equally long.",
	};
	struct arguments arguments = { .page = page_options_for(stdout), .now_us = (int64_t)time(NULL) * US_PER_S };
	struct jobs_summary *summary = &arguments.summary;
	static char verb[] = "summary";
	char **given = copy_arguments(argc, argv);
	struct error err;
	int result;

	summary->who = WHO;
	summary->sort = JOB_FIGURE_COUNT;
	summary->top = SIZE_MAX;
	job_groups_by(&summary->groups, JOB_KEY_COUNT);
	job_groups_by(&summary->before, JOB_KEY_COUNT);
	job_groups_by(&summary->users, JOB_KEY_USER);
	usage_parse(&argp, argc, argv, 0, &arguments);
	if (!summary_store && arguments.count == 0 && !arguments.mine && given && site_there(arguments.site))
		return site_run(verb, argc, given);
	free_arguments(given);
	if (summary->top == SIZE_MAX)
		summary->top = isatty(STDOUT_FILENO) && !arguments.csv && !arguments.json ? TOP_DEFAULT : 0;
	result = read_all(&arguments);
	/* If no file could be read, a message has said so. */
	if (result == 0 && (!summary->damaged || summary->seen))
		result = print(&arguments);
	if (result == 0 && output_flush(&err) < 0) {
		find_complain(WHO, err.text);
		result = -1;
	}
	result = result < 0 || summary->damaged || summary->unread[0] ? EXIT_FAILURE : EXIT_SUCCESS;
	jobs_summary_free(summary);
	free(arguments.what);
	return result;
}
