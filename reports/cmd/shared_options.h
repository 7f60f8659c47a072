/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that several verbs have, as children of the verbs' argp parsers.
 * At ARGP_KEY_INIT, a verb's parser sets state->child_inputs to the address of the option's value.
 */
#ifndef STINT_SHARED_OPTIONS_H
#define STINT_SHARED_OPTIONS_H

#include <argp.h>

/* Parses --config=FILE. Its input is a const char **, which is set to FILE. */
extern const struct argp config_argp;

/* Parses --verbose. Its input is a bool *, which is set to true. */
extern const struct argp verbose_argp;

#endif
