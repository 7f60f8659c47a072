/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/common/usage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "collector/common/escape.h"

void usage_begin(struct argp_state *state)
{
	/* getopt has said what is wrong on standard error; argp's second line goes nowhere. */
	FILE *nowhere = fopen("/dev/null", "we");

	if (nowhere)
		state->err_stream = nowhere;
}

void usage_fail(const struct argp_state *state, const char *format, ...)
{
	char text[1024], shown[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "%s: %s ('%s --help' tells more)\n", state->name,
		escape_text(text, shown, sizeof(shown)), state->name);
	exit(USAGE_EXIT);
}

void usage_parse(const struct argp *argp, int argc, char *argv[], unsigned int flags, void *input)
{
	argp_err_exit_status = USAGE_EXIT;
	argp_parse(argp, argc, argv, flags, NULL, input);
}
