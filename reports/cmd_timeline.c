/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint timeline: a job's tools over time, in the terminal or as a trace for a viewer. */

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/conf.h"
#include "collector/common/usage.h"
#include "reports/cmd.h"
#include "reports/field.h"
#include "reports/find.h"
#include "reports/gantt.h"
#include "reports/gantt_part.h"
#include "reports/trace.h"

#define WHO "stint timeline"

enum { OPTION_BY = 0x200, OPTION_FROM, OPTION_TO, OPTION_TRACE };

struct arguments {
	const char *what; /* job or file */
	const char *config;
	const char *trace; /* where it goes; NULL: none is asked for */
	struct gantt_options gantt;
	struct page_options page;
};

static enum gantt_by parse_by(const char *text, const struct argp_state *state)
{
	static const char *const words[] = { "tool", "step", "process" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(text, words[i]) == 0)
			return (enum gantt_by)i;
	usage_fail(state, "--by=%s: it is tool, step or process", text);
}

static int64_t parse_moment(const char *option, const char *text, const struct argp_state *state)
{
	int64_t us;

	if (!relative_parse(text, &us))
		usage_fail(state, "%s=%s: it is a time since the job's start, as 90, 1m30s or 1:30", option, text);
	return us;
}

static void check(const struct arguments *arguments, const struct argp_state *state)
{
	const struct gantt_options *gantt = &arguments->gantt;

	if (!arguments->what)
		usage_fail(state, "which JOB or FILE?");
	if (gantt->to_us == 0 || (gantt->to_us > 0 && gantt->from_us >= gantt->to_us))
		usage_fail(state, "--to is not behind --from");
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
	case 'c':
		arguments->config = value;
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
		arguments->trace = value;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->what)
			usage_fail(state, "one JOB or FILE only");
		arguments->what = value;
		return 0;
	case ARGP_KEY_END:
		check(arguments, state);
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

/* A trace of nothing is no fault, but may be no surprise either. */
static void warn_of_nothing(struct json_object *report)
{
	const char *mode = field_text(report, "mode");

	if (mode && strcmp(mode, "summary") == 0)
		fputs(WHO ": the trace has no runs: the job was counted in mode summary, which keeps sums alone\n", stderr);
}

static int write_trace(struct json_object *report, const char *path)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *out = standard ? stdout : fopen(path, "we");
	struct error err;
	int result;

	if (!out) {
		error_errno(&err, "%s", path);
		return complain(err.text);
	}
	warn_of_nothing(report);
	result = trace_write(report, out, &err);
	if (result < 0)
		complain(err.text);
	else if (fflush(out) != 0 || ferror(out)) {
		error_errno(&err, "%s", standard ? "standard output" : path);
		result = complain(err.text);
	}
	if (!standard)
		fclose(out);
	return result;
}

static int print(struct json_object *report, const struct arguments *arguments)
{
	struct error err;

	if (gantt_print(report, &arguments->gantt, &arguments->page, stdout, &err) < 0)
		return complain(err.text);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		error_errno(&err, "standard output");
		return complain(err.text);
	}
	return 0;
}

/* Of an array of ten thousand tasks nobody wants ten thousand pictures. */
static int check_one(const struct rows *rows)
{
	char id[ROW_ID_TEXT], text[256];

	if (rows->count == 1)
		return 0;
	snprintf(text, sizeof(text), "these are %zu jobs, and a timeline is of one: name it, as %s, or its report's file",
		 rows->count, row_id(&rows->list[0], id));
	return complain(text);
}

static int show(const struct rows *rows, const struct arguments *arguments)
{
	cleanup_free char *text = NULL;
	struct json_object *report;
	struct error err;
	int result;

	if (check_one(rows) < 0)
		return -1;
	if (rows->list[0].error)
		return complain(rows->list[0].error);
	report = find_whole(&rows->list[0], &text, &err);
	if (!report)
		return complain(err.text);
	result = arguments->trace ? write_trace(report, arguments->trace) : print(report, arguments);
	json_object_put(report);
	return result;
}

int cmd_timeline(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "all", 'a', NULL, 0, "All rows, and Slurm's own tools too", 0 },
		{ "by", OPTION_BY, "WHAT", 0, "A row for each tool (the default), step or process", 0 },
		{ "config", 'c', "FILE", 0, "Read FILE instead of " CONF_PATH, 0 },
		{ "from", OPTION_FROM, "TIME", 0, "Begin there, as 1m30s since the job's start", 0 },
		{ "to", OPTION_TO, "TIME", 0, "End there", 0 },
		{ "trace", OPTION_TRACE, "FILE", 0,
		  "Write a trace for Perfetto or chrome://tracing instead; - is standard output", 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &terminal_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "JOB | FILE",
		.doc = "Show when each tool of a job ran, and what was used over time.\n"
		       "\v"
		       "JOB is a number, or ARRAY_TASK. Its report is looked for as 'stint report' does.",
	};
	struct arguments arguments = { .page = page_options_for(stdout), .gantt = { .from_us = -1, .to_us = -1 } };
	struct rows rows = { .who = WHO };
	struct error err;
	int result;

	usage_parse(&argp, argc, argv, 0, &arguments);
	result = find_rows(&rows, arguments.what, arguments.config, &err);
	if (result < 0)
		complain(err.text);
	else
		result = show(&rows, &arguments);
	result = result < 0 || rows.failed ? EXIT_FAILURE : EXIT_SUCCESS;
	rows_free(&rows);
	return result;
}
