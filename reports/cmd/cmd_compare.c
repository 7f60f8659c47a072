/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint compare: shows the differences between two jobs, or two arrays. */

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/shared_options.h"
#include "reports/compare/compare.h"
#include "reports/terminal/output.h"

#define WHO "stint compare"

struct arguments {
	const char *what[2];
	int count;
	const char *config;
	bool json, verbose;
	struct page_options page;
};

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
	case ARGP_KEY_ARG:
		if (arguments->count == 2)
			usage_fail(state, "only two JOBs or FILEs");
		arguments->what[arguments->count++] = value;
		return 0;
	case ARGP_KEY_END:
		if (arguments->count < 2)
			usage_fail(state, "which two JOBs or FILEs?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int run(const struct arguments *arguments, struct compare *compare, struct error *err)
{
	if (compare_side_read(&compare->a, WHO, arguments->what[0], arguments->config, err) < 0 ||
	    compare_side_read(&compare->b, WHO, arguments->what[1], arguments->config, err) < 0 ||
	    compare_make(compare, err) < 0)
		return -1;
	if (arguments->json)
		compare_print_json(compare, stdout);
	else
		compare_print(compare, &arguments->page, stdout);
	return output_flush(err);
}

int cmd_compare(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "all", 'a', NULL, 0, "Also show what is the same", 0 },
		{ "json", 'j', NULL, 0, "Print the comparison as JSON", 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &terminal_argp }, { .argp = &config_argp }, { .argp = &verbose_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "A B",
		.doc = "Say what differs by more than noise between two jobs or two arrays.\n"
		       "\v"
		       "A and B are a job's number, ARRAY_TASK, an array's number or a report's file. stint finds them "
		       "in the same way as 'stint report'. The exit code is 0 whether they differ or not.",
	};
	struct arguments arguments = { .page = page_options_for(stdout) };
	struct compare compare = { .a = { .letter = 'A' }, .b = { .letter = 'B' } };
	struct error err;
	int result;

	usage_parse(&argp, argc, argv, 0, &arguments);
	compare.a.rows.verbose = compare.b.rows.verbose = arguments.verbose;
	result = run(&arguments, &compare, &err);
	if (result < 0 && *err.text)
		find_complain(WHO, err.text);
	result = result < 0 || compare.a.rows.failed || compare.b.rows.failed ? EXIT_FAILURE : EXIT_SUCCESS;
	compare_free(&compare);
	return result;
}
