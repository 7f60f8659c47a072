/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses command lines. Prints only one line about a mistake. */
#ifndef STINT_USAGE_H
#define STINT_USAGE_H

#include <argp.h>

#define USAGE_EXIT 2 /* for a wrong command line; 1 is for failures */

/*
 * Parses like argp_parse(). For a wrong command line, prints one line and ends the program with USAGE_EXIT.
 *
 * @flags: as for argp_parse()
 * @input: for the parser of @argp, which must call usage_begin() at ARGP_KEY_INIT
 */
void usage_parse(const struct argp *argp, int argc, char *argv[], unsigned int flags, void *input);

/* Keeps argp from printing errors. Parsers call this at ARGP_KEY_INIT. */
void usage_begin(struct argp_state *state);

/* Prints one line about a wrong command line, and ends the program with USAGE_EXIT. */
void usage_fail(const struct argp_state *state, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* Reads the decimal number @value. Returns -1 if @value is no number, or is larger than @most. */
long usage_number(const char *value, long most);

/* Like usage_fail(), but works before the command line is parsed. @name: the program's name. @text: what is wrong. */
void usage_fail_as(const char *name, const char *text) __attribute__((noreturn));

#endif
