/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint: the command for people. It finds the verb; each has a file of its own, cmd_VERB.c. */

#include <argp.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/cmd.h"
#include "collector/common/usage.h"

static const struct verb {
	const char *name;
	int (*run)(int argc, char *argv[]);
} verbs[] = {
	{ "report", cmd_report },
	{ "timeline", cmd_timeline },
	{ "compare", cmd_compare },
	{ "export", cmd_export },
	{ "doctor", cmd_doctor },
};

struct arguments {
	const struct verb *verb;
	int at; /* where the verb stands */
};

const char *argp_program_version = "stint " PACKAGE_VERSION;

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(name, verbs[i].name) == 0)
			return &verbs[i];
	return NULL;
}

/* "report, export and doctor": whoever adds a verb adds it to the table alone. */
static const char *verb_names(void)
{
	static char names[256];
	size_t used = 0, count = sizeof(verbs) / sizeof(verbs[0]);

	for (size_t i = 0; i < count && used < sizeof(names); i++)
		used += snprintf(names + used, sizeof(names) - used, "%s%s", verbs[i].name,
				 i + 2 < count ? ", " : i + 1 < count ? " and " : "");
	return names;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		return 0;
	case ARGP_KEY_ARG:
		arguments->verb = find_verb(value);
		if (!arguments->verb)
			usage_fail(state, "unknown verb '%s': there are %s", value, verb_names());
		/* All that follows is the verb's. */
		arguments->at = state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		usage_fail(state, "which verb? There are %s", verb_names());
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char *argv[])
{
	static const struct argp argp = {
		.parser = parse_option,
		.args_doc = "VERB [ARGUMENT...]",
		.doc = "What a Slurm job really did with what it was given.\n"
		       "\n"
		       "Verbs:\n"
		       "  report    show the report of a job\n"
		       "  timeline  show when each tool of a job ran\n"
		       "  compare   say what differs between two jobs\n"
		       "  export    print what other programs read of a job\n"
		       "  doctor    say what this node can and cannot measure, and how to mend it\n"
		       "\n"
		       "'stint VERB --help' tells more of each.\n"
		       "\vSee stint(1).",
	};
	struct arguments arguments = { 0 };
	char name[64];

	setlocale(LC_CTYPE, "");
	usage_parse(&argp, argc, argv, ARGP_IN_ORDER, &arguments);
	snprintf(name, sizeof(name), "stint %s", arguments.verb->name);
	argv[arguments.at] = name;
	return arguments.verb->run(argc - arguments.at, argv + arguments.at);
}
