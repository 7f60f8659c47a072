/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses command lines. If a command line is wrong, prints only one line, whereas argp alone would print two. */
#ifndef STINT_USAGE_H
#define STINT_USAGE_H

#include <argp.h>

#define USAGE_EXIT 2 /* exit code for a wrong command line; 1 is for failures */

/*
 * Parses the command line like argp_parse(). If the command line is wrong, prints one line on standard error and ends
 * the program with exit code USAGE_EXIT.
 *
 * @flags: as for argp_parse()
 * @input: passed to the parser of @argp; when argp calls that parser first, with ARGP_KEY_INIT, it must call
 * usage_begin()
 */
void usage_parse(const struct argp *argp, int argc, char *argv[], unsigned int flags, void *input);

/* Keeps argp from printing its own line about an error. A parser must call this at ARGP_KEY_INIT. */
void usage_begin(struct argp_state *state);

/* Prints one line that says what is wrong with the command line: the formatted text. Ends the program with USAGE_EXIT. */
void usage_fail(const struct argp_state *state, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* Returns the decimal number that @value is; -1 if it is none, or is more than @most. */
long usage_number(const char *value, long most);

/* Like usage_fail(), but works before the command line is parsed. @name: the program's name. @text: what is wrong. */
void usage_fail_as(const char *name, const char *text) __attribute__((noreturn));

#endif
