/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints one line for a wrong command line; argp alone would print two. */
#ifndef STINT_USAGE_H
#define STINT_USAGE_H

#include <argp.h>

#define USAGE_EXIT 2 /* exit code for a wrong command line; 1 is for failures */

/*
 * Parses the command line like argp_parse(). Does not return if it is wrong: one line on standard error, exit code
 * USAGE_EXIT.
 *
 * @flags: argp's
 * @input: for the parser of @argp, which starts with ARGP_KEY_INIT: it must call usage_begin()
 */
void usage_parse(const struct argp *argp, int argc, char *argv[], unsigned int flags, void *input);

/*
 * Keeps argp from printing a line of its own. A parser must call this at ARGP_KEY_INIT.
 */
void usage_begin(struct argp_state *state);

/*
 * Says what is wrong with the command line, in one line, and ends the program.
 */
void usage_fail(const struct argp_state *state, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* The same before the command line is parsed, for the program @name. */
void usage_fail_as(const char *name, const char *text) __attribute__((noreturn));

#endif
