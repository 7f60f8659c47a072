/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint export: prints what other programs read of a job, in their form. */

#include <argp.h>
#include <errno.h>
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

#define WHO "stint export"

struct arguments {
	const char *what; /* job, file or directory */
	const char *config;
	bool js1;
	bool json, verbose;
};

static int print_plain(struct json_object *report)
{
	struct error err, why;
	cleanup_json struct json_object *summary = js1_summary(report, &why);
	cleanup_free char *safe = NULL;
	int64_t id = 0;

	if (!summary) {
		field_count(report, "job.id", &id);
		error_set(&err, "job %lld has no summary: %.200s", (long long)id, why.text);
		find_complain(WHO, err.text);
		return -1;
	}
	safe = escape_json(json_object_to_json_string_ext(summary, JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_NOSLASHESCAPE), NULL);
	return safe && puts(safe) >= 0 ? 0 : -1;
}

static int print_js1(struct json_object *report)
{
	cleanup_free char *text = js1_text(report);

	return text && puts(text) >= 0 ? 0 : -1;
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
			usage_fail(state, "one JOB, FILE or DIR only");
		arguments->what = value;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->js1)
			usage_fail(state, "in which form? There is --js1");
		if (!arguments->what)
			usage_fail(state, "of which JOB, FILE or DIR?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_export(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "js1", 'J', NULL, 0, "Print the summary of jobstats, as in a job's AdminComment", 0 },
		{ "json", 'j', NULL, 0, "Print the summary as plain JSON, for reading", 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &config_argp }, { .argp = &verbose_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "--js1 JOB|FILE|DIR",
		.doc = "Print what other programs read of a job, in their form: one line for each report.\n"
		       "\v"
		       "JOB, FILE and DIR are as in 'stint report'. reportseff, seff-array and job_defense_shield "
		       "read --js1. It is JS1:None where something that they divide by is not known.",
	};
	struct arguments arguments = { 0 };
	struct found found = { .who = WHO };
	struct error err;
	int result;

	usage_parse(&argp, argc, argv, 0, &arguments);
	found.verbose = arguments.verbose;
	result = find_reports(&found, arguments.what, arguments.config, &err);
	if (result < 0)
		find_complain(WHO, err.text);
	for (size_t i = 0; i < found.count; i++)
		if ((arguments.json ? print_plain : print_js1)(found.reports[i].report) < 0)
			result = -1;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		find_complain(WHO, strerror(errno));
		result = -1;
	}
	result = result < 0 || found.failed ? EXIT_FAILURE : EXIT_SUCCESS;
	find_free(&found);
	return result;
}
