/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint: the command for users. Finds the verb, which is in cmd_VERB.c. */

#include <argp.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/memory/memory_limit.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/read/find.h"
#include "reports/read/locate.h"

static const struct verb {
	const char *name;
	int (*run)(int argc, char *argv[]);
	bool unlimited; /* the verb reads no reports that users wrote, so memory and time need no limit */
} verbs[] = {
	{ "report", cmd_report, false },
	{ "list", cmd_list, false },
	{ "watch", cmd_watch, false },
	{ "timeline", cmd_timeline, false },
	{ "compare", cmd_compare, false },
	{ "summary", cmd_summary, false },
	{ "export", cmd_export, false },
	{ "ingest", cmd_ingest, true },
	{ "doctor", cmd_doctor, false },
};

#define MEMORY_MAX (UINT64_C(2) << 30) /* limit of the address space, as for the program that writes reports */
#define CPU_MAX_S 600 /* enough for a table of a million reports */

struct arguments {
	const struct verb *verb;
	int at;    /* index of the verb in argv */
	int count; /* number of words of the verb, counted from its name; 0 means all */
};

const char *argp_program_version = "stint " PACKAGE_VERSION;

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(name, verbs[i].name) == 0)
			return &verbs[i];
	return NULL;
}

static const char *verb_names(void)
{
	static char names[256];
	size_t used = 0, count = sizeof(verbs) / sizeof(verbs[0]);

	for (size_t i = 0; i < count && used < sizeof(names); i++)
		used += snprintf(names + used, sizeof(names) - used, "%s%s", verbs[i].name,
				 i + 2 < count ? ", " : i + 1 < count ? " and " : "");
	return names;
}

/* Limits memory and CPU time: a user can forge a report that root reads. */
static void limit_use(void)
{
	struct rlimit cpu;

	if (getrlimit(RLIMIT_CPU, &cpu) == 0 && cpu.rlim_cur > CPU_MAX_S) {
		cpu.rlim_cur = CPU_MAX_S;
		setrlimit(RLIMIT_CPU, &cpu);
	}
#ifndef MEMORY_SANITIZED /* MemorySanitizer needs far more address space than memory */
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) < 0 || limit.rlim_cur < MEMORY_MAX)
		return;
	limit.rlim_cur = MEMORY_MAX;
	setrlimit(RLIMIT_AS, &limit);
#endif
}

/*
 * Reads "stint 4711" as "stint report 4711".
 * The verb's argv[0] must be its name, so the verb's arguments begin one place before 4711.
 */
static bool take_job(struct arguments *arguments, const char *word, const struct argp_state *state)
{
	struct locate_job job;

	if (!locate_parse_job(word, &job))
		return false;
	arguments->verb = find_verb("report");
	arguments->at = state->next - 2;
	return true;
}

/* Reads "stint help VERB" as "stint VERB --help", and "stint help" as "stint --help". */
static error_t help(struct arguments *arguments, struct argp_state *state)
{
	static char option[] = "--help";
	char *name = state->argv[state->next];

	if (!name || *name == '-' || strcmp(name, "help") == 0)
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
	arguments->verb = find_verb(name);
	if (!arguments->verb)
		usage_fail(state, "unknown verb '%s': the verbs are %s", name, verb_names());
	arguments->at = state->next - 1;
	state->argv[state->next] = option;
	arguments->count = 2;
	state->next = state->argc;
	return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	struct error err;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		return 0;
	case ARGP_KEY_ARG:
		if (strcmp(value, "help") == 0)
			return help(arguments, state);
		arguments->verb = find_verb(value);
		arguments->at = state->next - 1;
		if (!arguments->verb && !take_job(arguments, value, state))
			usage_fail(state, "unknown verb '%s': the verbs are %s", value, verb_names());
		/* All arguments that follow belong to the verb. */
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		limit_use();
		if (cmd_latest(&err) < 0)
			usage_fail(state, "your latest jobs: %s; which verb? The verbs are %s", err.text, verb_names());
		exit(EXIT_SUCCESS);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Returns whether @word is an option of stint. argp accepts the beginning of an option, too. */
static bool is_own_option(const char *word)
{
	static const char *const own[] = { "--help", "--usage", "--version", "-?", "-h", "-V" };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strncmp(own[i], word, strlen(word)) == 0)
			return true;
	return false;
}

static int index_of_verb(char *argv[])
{
	int at = 1;

	while (argv[at] && !find_verb(argv[at]))
		at++;
	return at;
}

static bool any_job(char *argv[])
{
	struct locate_job job;

	for (; *argv; argv++)
		if (locate_parse_job(*argv, &job))
			return true;
	return false;
}

static void check_order(int argc, char *argv[])
{
	char text[512];
	size_t used = 0;
	int at;

	if (argc < 3 || argv[1][0] != '-' || is_own_option(argv[1]))
		return;
	at = index_of_verb(argv);
	if (at == argc && any_job(argv + 2))
		usage_fail_as("stint", "options go after the job: stint JOB [OPTION...]");
	if (at == argc)
		return;
	used = snprintf(text, sizeof(text), "options go after the verb: stint %s", argv[at]);
	for (int i = 1; i < argc && used < sizeof(text); i++)
		if (i != at)
			used += snprintf(text + used, sizeof(text) - used, " %s", argv[i]);
	usage_fail_as("stint", text);
}

/* Runs the verb. Reports an error after any failed allocation, because the output may lack something. */
static int run(const struct verb *verb, const char *name, int argc, char *argv[])
{
	unsigned long failures = memory_failures();
	int result = verb->run(argc, argv);

	if (result != EXIT_SUCCESS || memory_failures() == failures)
		return result;
	find_complain(name, "out of memory: a part of this is missing");
	return EXIT_FAILURE;
}

int main(int argc, char *argv[])
{
	static const struct argp argp = {
		.parser = parse_option,
		.args_doc = "[VERB [ARGUMENT...]]\nJOB [OPTION...]",
		.doc = "What a Slurm job really did with what it was given.\n"
		       "\n"
		       "Verbs:\n"
		       "  report    show the report of a job\n"
		       "  list      list the jobs of the last day\n"
		       "  watch     show the page of a running job until it ends\n"
		       "  timeline  show when each tool of a job ran\n"
		       "  compare   say what differs between two jobs\n"
		       "  summary   say what many jobs used and wasted, and why\n"
		       "  export    print a job's summary for other programs\n"
		       "  ingest    import the nodes' batches into the store\n"
		       "  doctor    say what this node can and cannot measure, and how to fix it\n"
		       "\n"
		       "'stint 4711' is 'stint report 4711'. 'stint help VERB' says more about each. 'stint' alone lists your "
		       "latest jobs.\n"
		       "\vSee stint(1).",
	};
	struct arguments arguments = { 0 };
	char name[64];

	setlocale(LC_CTYPE, "");
	check_order(argc, argv);
	usage_parse(&argp, argc, argv, ARGP_IN_ORDER, &arguments);
	snprintf(name, sizeof(name), "stint %s", arguments.verb->name);
	argv[arguments.at] = name;
	if (!arguments.verb->unlimited)
		limit_use();
	return run(arguments.verb, name, arguments.count ? arguments.count : argc - arguments.at, argv + arguments.at);
}
