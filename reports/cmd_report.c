/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint report: the page, or the JSON, of one job or of all in a directory. */

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
#include "reports/find.h"
#include "reports/page.h"
#include "reports/terminal.h"

struct arguments {
	const char *what; /* job, file or directory */
	const char *config;
	bool json;
	struct page_options page;
};

/* As it is, but for what would steer a terminal: a report may have been made by anybody. */
static void print_json(const char *text)
{
	cleanup_free char *safe = escape_json(text, NULL);

	if (safe)
		fputs(safe, stdout);
}

static void print(const struct found *found, const struct arguments *arguments)
{
	for (size_t i = 0; i < found->count; i++) {
		if (arguments->json) {
			print_json(found->reports[i].text);
			continue;
		}
		if (i > 0)
			putchar('\n');
		page_print(found->reports[i].report, &arguments->page, stdout);
	}
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
	case 'c':
		arguments->config = value;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 0)
			usage_fail(state, "one JOB, FILE or DIR only");
		arguments->what = value;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_report(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "all", 'a', NULL, 0, "All of the page, and not one screen of it", 0 },
		{ "json", 'j', NULL, 0, "Print the report as it is, JSON", 0 },
		{ "config", 'c', "FILE", 0, "Read FILE instead of " CONF_PATH, 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &terminal_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.args_doc = "[JOB | FILE | DIR]",
		.doc = "Show what a job really did with what it was given.\n"
		       "\v"
		       "JOB is a number, or ARRAY_TASK; a plain array id shows all its tasks. Its report is looked "
		       "for in this directory, then in the job's own. DIR, by default this one, shows all reports "
		       "in it, oldest first.",
	};
	struct arguments arguments = { .what = ".", .page = page_options_for(stdout) };
	struct found found = { .who = "stint report" };
	char shown[1024];
	struct error err;
	int result;

	usage_parse(&argp, argc, argv, 0, &arguments);
	result = find_reports(&found, arguments.what, arguments.config, &err);
	if (result < 0)
		fprintf(stderr, "stint report: %s\n", escape_text(err.text, shown, sizeof(shown)));
	print(&found, &arguments);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "stint report: standard output: %s\n", strerror(errno));
		result = -1;
	}
	result = result < 0 || found.failed ? EXIT_FAILURE : EXIT_SUCCESS;
	find_free(&found);
	return result;
}
