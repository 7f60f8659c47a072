/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint timeline: shows a job's tools over time, in the terminal or as a trace for a viewer. */

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/conf.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/shared_options.h"
#include "reports/model/report_read.h"
#include "reports/read/find.h"
#include "reports/terminal/output.h"
#include "reports/timeline/gantt.h"
#include "reports/timeline/trace.h"

#define WHO "stint timeline"

enum { OPTION_BY = 0x200, OPTION_FROM, OPTION_TO, OPTION_TRACE };

struct arguments {
	const char *what; /* job or file */
	size_t count; /* number of jobs that the user named; must be one */
	const char *config;
	bool trace, verbose;
	const char *trace_file; /* output file of the trace; NULL for the default name */
	const char *behind_trace; /* if --trace has no FILE: the next argument; may be NULL */
	struct gantt_options gantt;
	struct page_options page;
};

static enum gantt_by parse_by(const char *text, const struct argp_state *state)
{
	static const char *const words[] = { "tool", "step", "process", "container" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(text, words[i]) == 0)
			return (enum gantt_by)i;
	usage_fail(state, "--by=%s: expected tool, step, process or container", text);
}

static int64_t parse_moment(const char *option, const char *text, const struct argp_state *state)
{
	int64_t us;

	if (!relative_parse(text, &us))
		usage_fail(state, "%s=%s: expected a time since the job's start, such as 90, 1m30s or 1:30", option, text);
	return us;
}

static void check_arguments(const struct arguments *arguments, const struct argp_state *state)
{
	const struct gantt_options *gantt = &arguments->gantt;

	output_check_behind(&output_trace, arguments->behind_trace, state);
	if (!arguments->what)
		usage_fail(state, "which JOB or FILE?");
	if (arguments->count > 1)
		usage_fail(state, "only one JOB or FILE%s",
			   arguments->behind_trace ? ", and a FILE to write is --trace=FILE" : "");
	if (gantt->to_us == 0 || (gantt->to_us > 0 && gantt->from_us >= gantt->to_us))
		usage_fail(state, "--to is not after --from");
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
	case OPTION_BY:
		arguments->gantt.by = parse_by(value, state);
		return 0;
	case OPTION_FROM:
		arguments->gantt.from_us = parse_moment("--from", value, state);
		return 0;
	case OPTION_TO:
		arguments->gantt.to_us = parse_moment("--to", value, state);
		return 0;
	case OPTION_TRACE:
		if (value && !*value)
			usage_fail(state, "--trace=: which FILE?");
		arguments->trace = true;
		arguments->trace_file = value;
		arguments->behind_trace = value ? NULL : state->argv[state->next];
		return 0;
	case ARGP_KEY_ARG:
		if (!arguments->what)
			arguments->what = value;
		arguments->count++;
		return 0;
	case ARGP_KEY_END:
		check_arguments(arguments, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int complain(const char *text)
{
	find_complain(WHO, text);
	return -1;
}

/* An empty trace is no error, but the user may not expect it. */
static void warn_of_nothing(const struct report *report)
{
	if (report->mode && strcmp(report->mode, "summary") == 0)
		fputs(WHO ": the trace has no runs: the job was counted in mode summary, which keeps only sums\n", stderr);
}

static int print_out(const struct report *report, struct error *err)
{
	return trace_write(report, stdout, err) < 0 ? -1 : output_flush(err);
}

/* Builds the whole trace before it replaces the file, so that an error loses no data. */
static int write_file(const struct report *report, const char *path, struct error *err)
{
	cleanup_free char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int result;

	if (!out)
		return error_errno(err, "the trace");
	result = trace_write(report, out, err);
	if (fclose(out) != 0 && result == 0)
		result = error_errno(err, "the trace");
	return result < 0 ? -1 : output_write(&output_trace, path, text, len, err);
}

static int write_trace(const struct report *report, const struct summary *row, const char *file)
{
	char name[NAME_MAX + 1], id[SUMMARY_ID_TEXT];
	const char *path = file ? file : output_name(&output_trace, row, name);
	struct error err;
	int result;

	warn_of_nothing(report);
	result = strcmp(path, "-") == 0 ? print_out(report, &err) : write_file(report, path, &err);
	if (result < 0)
		return complain(err.text);
	if (!file)
		printf("Wrote %s, the trace of job %s\n", path, summary_id(row, id));
	return 0;
}

static int print(const struct report *report, const struct arguments *arguments)
{
	struct error err;

	if (gantt_print(report, &arguments->gantt, &arguments->page, stdout, &err) < 0 || output_flush(&err) < 0)
		return complain(err.text);
	return 0;
}

/* Refuses several jobs: an array may have ten thousand tasks, each with a picture of its own. */
static int check_one(const struct rows *rows)
{
	char id[SUMMARY_ID_TEXT], text[256];

	if (rows->count == 1)
		return 0;
	if (rows->count == 0) /* a message has said what is wrong with the job's file */
		return -1;
	snprintf(text, sizeof(text),
		 "these are %zu jobs, but a timeline shows one: name one job, such as %s, or the file of its report", rows->count,
		 summary_id(&rows->list[0], id));
	return complain(text);
}

static int show(const struct rows *rows, const struct arguments *arguments)
{
	cleanup_report struct report *report = NULL;
	struct error err;

	if (check_one(rows) < 0)
		return -1;
	if (rows->list[0].error)
		return complain(rows->list[0].error);
	report = find_parts_of(&rows->list[0], report_want_all.parts, &err);
	if (!report)
		return complain(err.text);
	if (rows->list[0].foreign)
		find_say_unproved(WHO, &rows->list[0]);
	return arguments->trace ? write_trace(report, &rows->list[0], arguments->trace_file) : print(report, arguments);
}

int cmd_timeline(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "all", 'a', NULL, 0, "Show all rows, and also Slurm's own tools", 0 },
		{ "by", OPTION_BY, "WHAT", 0, "Show a row for each tool (the default), step, process or container", 0 },
		{ "from", OPTION_FROM, "TIME", 0, "Begin at TIME since the job's start, such as 1m30s", 0 },
		{ "to", OPTION_TO, "TIME", 0, "End at TIME", 0 },
		{ "trace", OPTION_TRACE, "FILE", OPTION_ARG_OPTIONAL,
		  "Write a trace for Perfetto or chrome://tracing instead, as stint-JOB.trace or into FILE; - is standard output",
		  0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &terminal_argp }, { .argp = &config_argp }, { .argp = &verbose_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "JOB | FILE",
		.doc = "Show when each tool of a job ran, and what was used over time.\n"
		       "\v"
		       "JOB is a number, or ARRAY_TASK. stint looks for its report as 'stint report' does.",
	};
	struct arguments arguments = { .page = page_options_for(stdout), .gantt = { .from_us = -1, .to_us = -1 } };
	struct rows rows = { .who = WHO };
	struct error err;
	int result;

	usage_parse(&argp, argc, argv, 0, &arguments);
	rows.verbose = arguments.verbose;
	result = find_rows(&rows, arguments.what, arguments.config, &err);
	if (result < 0)
		complain(err.text);
	else
		result = show(&rows, &arguments);
	result = result < 0 || rows.failed ? EXIT_FAILURE : EXIT_SUCCESS;
	rows_free(&rows);
	return result;
}
