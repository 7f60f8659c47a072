/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint export: prints a job's data in the formats that other programs read. */

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/conf.h"
#include "common/escape.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/shared_options.h"
#include "reports/deliver/js1.h"
#include "reports/json/field.h"
#include "reports/read/find.h"
#include "reports/terminal/output.h"

#define WHO "stint export"

struct arguments {
	const char *what; /* job, file or directory */
	const char *config;
	bool js1;
	bool json, verbose;
};

static int print_plain(const struct report *report)
{
	struct error err, why;
	cleanup_json struct json_object *summary = js1_summary(report, &why);
	cleanup_free char *safe = NULL;

	if (!summary) {
		error_set(&err, "job %lld has no summary: %.200s", (long long)report->job.id, why.text);
		find_complain(WHO, err.text);
		return -1;
	}
	safe = escape_json(json_object_to_json_string_ext(summary, JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_NOSLASHESCAPE), NULL);
	return safe && puts(safe) >= 0 ? 0 : -1;
}

static int print_js1(const struct report *report)
{
	cleanup_free char *text = js1_text(report);

	return text && puts(text) >= 0 ? 0 : -1;
}

static int print_row(const struct arguments *arguments, const struct summary *row)
{
	struct error err;
	cleanup_report struct report *report = NULL;

	if (row->foreign)
		find_say_unproved(WHO, row);
	report = find_whole(row, NULL, &err);
	if (report)
		return (arguments->json ? print_plain : print_js1)(report);
	find_complain(WHO, err.text);
	return -1;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		state->child_inputs[0] = &arguments->config;
		state->child_inputs[1] = &arguments->verbose;
		return 0;
	case 'J':
		arguments->js1 = true;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 0)
			usage_fail(state, "only one JOB, FILE or DIR");
		arguments->what = value;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->js1)
			usage_fail(state, "in which form? Add --js1");
		if (!arguments->what)
			usage_fail(state, "which JOB, FILE or DIR?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_export(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "js1", 'J', NULL, 0, "Print the summary in the format of the program jobstats, as in a job's AdminComment", 0 },
		{ "json", 'j', NULL, 0, "With --js1: print the summary as plain JSON, for people to read", 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &config_argp }, { .argp = &verbose_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "--js1 JOB|FILE|DIR",
		.doc = "Print a job's summary in a form that other programs read: one line for each report.\n"
		       "\v"
		       "JOB, FILE and DIR are as in 'stint report'. reportseff, seff-array and job_defense_shield "
		       "read --js1. stint prints JS1:None if a number that these programs divide by is not known.",
	};
	struct arguments arguments = { 0 };
	struct rows rows = { .who = WHO };
	struct error err;
	bool failed = false;
	int result;

	usage_parse(&argp, argc, argv, 0, &arguments);
	rows.verbose = arguments.verbose;
	result = find_rows(&rows, arguments.what, arguments.config, &err);
	if (result < 0)
		find_complain(WHO, err.text);
	for (size_t i = 0; result >= 0 && i < rows.count; i++)
		failed |= print_row(&arguments, &rows.list[i]) < 0;
	if (output_flush(&err) < 0) {
		find_complain(WHO, err.text);
		failed = true;
	}
	failed |= result < 0 || rows.failed;
	rows_free(&rows);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
