/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/usage.h"

#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/escape.h"

#ifdef BUG_ADDRESS
const char *argp_program_bug_address = BUG_ADDRESS;
#endif

#define HELP_LETTER 'h' /* argp itself knows only -? for --help */
#define LONG_ONLY 256 /* key of an option without a letter */

void usage_begin(struct argp_state *state)
{
	/* argp writes its own line about an error to err_stream. That line is not wanted. */
	static FILE *nowhere;

	if (!nowhere)
		nowhere = fopen("/dev/null", "we");
	if (nowhere)
		state->err_stream = nowhere;
}

void usage_fail_as(const char *name, const char *text)
{
	char shown[1024];

	fprintf(stderr, "%s: %s (see '%s --help')\n", name, escape_text(text, shown, sizeof(shown)), name);
	exit(USAGE_EXIT);
}

void usage_fail(const struct argp_state *state, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	usage_fail_as(state->name, text);
}

long usage_number(const char *value, long most)
{
	char *end;
	long number = strtol(value, &end, 10);

	return *value < '0' || *value > '9' || *end || number > most ? -1 : number;
}

/* ---- unknown options ---- */

struct known {
	char letters[128];
	struct option *names;
	size_t letter_count, name_count;
};

static void add_known(struct known *known, const char *name, int key, int argument)
{
	if (name)
		known->names[known->name_count++] =
			(struct option){ .name = name, .has_arg = argument, .val = LONG_ONLY };
	if (key <= 0 || key == '?' || key >= LONG_ONLY || !isprint(key) || known->letter_count + 4 > sizeof(known->letters))
		return;
	known->letters[known->letter_count++] = (char)key;
	for (int i = 0; i < argument; i++) /* two colons mean an optional argument */
		known->letters[known->letter_count++] = ':';
}

static bool is_option(const struct argp_option *option)
{
	return option && (option->name || option->key || option->doc);
}

static size_t count_options(const struct argp *argp)
{
	size_t count = 0;

	for (const struct argp_option *option = argp->options; is_option(option); option++)
		count++;
	for (const struct argp_child *child = argp->children; child && child->argp; child++)
		count += count_options(child->argp);
	return count;
}

static void add_options(struct known *known, const struct argp *argp)
{
	int argument = no_argument;

	for (const struct argp_option *option = argp->options; is_option(option); option++) {
		if (!(option->flags & OPTION_ALIAS))
			argument = !option->arg ? no_argument :
				   option->flags & OPTION_ARG_OPTIONAL ? optional_argument : required_argument;
		add_known(known, option->name, option->key, argument);
	}
	for (const struct argp_child *child = argp->children; child && child->argp; child++)
		add_options(known, child->argp);
}

/*
 * Sets @known to the options of @argp.
 *
 * @in_order: options after a verb belong to the verb
 *
 * Returns 0; -1 if out of memory.
 */
static int know(struct known *known, const struct argp *argp, bool in_order)
{
	memset(known, 0, sizeof(*known));
	known->names = calloc(count_options(argp) + 6, sizeof(*known->names));
	if (!known->names)
		return -1;
	if (in_order)
		known->letters[known->letter_count++] = '+';
	known->letters[known->letter_count++] = ':'; /* then ':' shows a missing argument, and '?' an unknown option */
	add_options(known, argp);
	add_known(known, "help", '?', no_argument);
	if (!strchr(known->letters, HELP_LETTER))
		add_known(known, NULL, HELP_LETTER, no_argument);
	add_known(known, "usage", 0, no_argument);
	add_known(known, "version", 'V', no_argument);
	add_known(known, "program-name", 0, required_argument);
	add_known(known, "HANG", 0, optional_argument);
	return 0;
}

static bool is_ambiguous(const struct known *known, const char *name)
{
	size_t length = strcspn(name, "="), count = 0;

	for (size_t i = 0; i < known->name_count; i++)
		count += strncmp(known->names[i].name, name, length) == 0;
	return count > 1;
}

#define COMPLAINT_TEXT 1024

static void describe(const struct known *known, char *argv[], int result, char text[COMPLAINT_TEXT])
{
	const char *word = argv[optind - 1];
	bool is_long = optopt == 0 || optopt == LONG_ONLY;

	if (is_long && result == ':')
		snprintf(text, COMPLAINT_TEXT, "option '%s' requires an argument", word);
	else if (is_long && optopt)
		snprintf(text, COMPLAINT_TEXT, "option '%.*s' doesn't allow an argument", (int)strcspn(word, "="), word);
	else if (is_long && is_ambiguous(known, word + 2))
		snprintf(text, COMPLAINT_TEXT, "option '%s' is ambiguous", word);
	else if (is_long)
		snprintf(text, COMPLAINT_TEXT, "unrecognized option '%s'", word);
	else if (result == ':')
		snprintf(text, COMPLAINT_TEXT, "option requires an argument -- '%c'", optopt);
	else
		snprintf(text, COMPLAINT_TEXT, "invalid option -- '%c'", optopt);
}

static void __attribute__((noreturn)) help(const struct argp *argp, char *name, void *input)
{
	char option[] = "--help", *argv[] = { name, option, NULL };

	argp_parse(argp, 2, argv, 0, NULL, input); /* ends the program */
	exit(EXIT_SUCCESS);
}

/*
 * Finds wrong options before argp does, because argp would print them unescaped.
 * An unknown option may be a file name that another person chose.
 */
static void check_options(const struct argp *argp, int argc, char *argv[], bool in_order, void *input)
{
	const char *slash = strrchr(argv[0], '/');
	char text[COMPLAINT_TEXT] = "";
	struct known known;
	int result;

	if (know(&known, argp, in_order) < 0)
		exit(EXIT_FAILURE);
	opterr = 0;
	optind = 0; /* GNU extension: getopt_long() begins again */
	do {
		optopt = 0;
		result = getopt_long(argc, argv, known.letters, known.names, NULL);
		if (result == ':' || (result == '?' && optopt != '?'))
			describe(&known, argv, result, text);
	} while (result != -1 && result != '?' && result != HELP_LETTER && !text[0]);
	free(known.names);
	if (result == HELP_LETTER)
		help(argp, argv[0], input);
	if (text[0])
		usage_fail_as(slash ? slash + 1 : argv[0], text);
}

void usage_parse(const struct argp *argp, int argc, char *argv[], unsigned int flags, void *input)
{
	argp_err_exit_status = USAGE_EXIT;
	if (argc > 0)
		check_options(argp, argc, argv, flags & ARGP_IN_ORDER, input);
	argp_parse(argp, argc, argv, flags, NULL, input);
}
