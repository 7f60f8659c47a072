/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses options that several verbs have. The argp of a verb has these parsers as children. At ARGP_KEY_INIT, the
 * verb's parser stores the address of the option's value in state->child_inputs.
 */
#ifndef STINT_SHARED_OPTIONS_H
#define STINT_SHARED_OPTIONS_H

#include <argp.h>

/* Parses --config=FILE. Its input is a const char **, which is set to FILE. */
extern const struct argp config_argp;

/* Parses --verbose. Its input is a bool *, which is set to true. */
extern const struct argp verbose_argp;

#endif
